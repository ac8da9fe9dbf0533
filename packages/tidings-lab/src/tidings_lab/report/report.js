document.querySelectorAll('table.sorts').forEach(table=>{
  const body=table.tBodies[0],heads=[...table.tHead.rows[0].cells];
  heads.forEach((head,column)=>head.firstChild.addEventListener('click',()=>{
    const down=head.getAttribute('aria-sort')!=='descending';
    heads.forEach(other=>other.setAttribute('aria-sort','none'));
    head.setAttribute('aria-sort',down?'descending':'ascending');
    const value=row=>{const cell=row.cells[column],text=cell.textContent;
      if(cell.dataset.value!==undefined)return Number(cell.dataset.value);
      const number=parseFloat(text.replace('*',''));return text===''||isNaN(number)?text:number};
    [...body.rows].map(row=>[value(row),row]).sort(([a],[b])=>{
      if(a===''||b==='')return (a==='')-(b==='');
      const order=typeof a==='number'&&typeof b==='number'?a-b:String(a).localeCompare(String(b));
      return down?-order:order}).forEach(([,row])=>body.append(row));
  }));
});
document.querySelectorAll('details.page').forEach(details=>details.addEventListener('toggle',()=>{
  const frame=details.querySelector('iframe[data-page]');
  if(frame){frame.srcdoc=frame.dataset.page;frame.removeAttribute('data-page')}
}));
