const html=JSON.parse(document.getElementById('page').textContent);
document.querySelectorAll('section').forEach((side,index)=>{
  const choice=side.querySelector('select'),frame=side.querySelector('iframe');
  if(index)choice.selectedIndex=Math.min(1,choice.options.length-1);
  const show=()=>{const page=frame.contentDocument;if(!page||!page.head)return;
    let sheet=page.getElementById('tidings-marks');
    if(!sheet){sheet=page.createElement('style');sheet.id='tidings-marks';page.head.append(sheet)}
    sheet.textContent=`mark.t${choice.value}{background:#ffe066!important;color:#111!important}`};
  frame.addEventListener('load',show);choice.addEventListener('change',show);frame.srcdoc=html;
});
