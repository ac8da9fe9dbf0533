"""How a report looks and what its one script does."""

from __future__ import annotations

from typing import Final

STYLE: Final = """
:root{color-scheme:light dark;--ink:#1b1f24;--paper:#fbfbf9;--card:#fff;--line:#dcdcd5;--soft:#5c6370;--bar:#7fa8bd;
--first:#1f6f8b;--bad:#ffd9d2;--extra:#fff0b8;--ink-on-mark:#1b1f24}
@media (prefers-color-scheme:dark){:root{--ink:#e8e6e1;--paper:#16181c;--card:#1d2025;--line:#33373d;--soft:#9aa1ab;
--bar:#3f6274;--first:#6cc0db;--bad:#6b2b22;--extra:#5c4b10;--ink-on-mark:#f4f2ec}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:78rem;padding:1.2rem 1rem 4rem;font:15px/1.5 system-ui,sans-serif;color:var(--ink);
background:var(--paper)}
h1{font-size:1.45rem;margin:0 0 .3rem;line-height:1.25}h2{font-size:1rem;margin:2rem 0 .5rem}h4{margin:.2rem 0 .4rem}
p{margin:0 0 .8rem}header p,.soft{color:var(--soft)}header b{color:var(--ink)}
.wide{overflow-x:auto;border:1px solid var(--line);border-radius:8px;background:var(--card)}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
th,td{padding:.35rem .7rem;border-bottom:1px solid var(--line);white-space:nowrap;text-align:end}
tr:last-child td{border-bottom:0}
th:first-child,td:first-child{text-align:start;position:sticky;left:0;background:var(--card)}
.failures td{text-align:start;white-space:normal;overflow-wrap:anywhere}
th button{all:unset;cursor:pointer;color:var(--soft);font-weight:600;font-size:.85rem}
th button:hover,th button:focus-visible{color:var(--ink);text-decoration:underline}
th[aria-sort=ascending] button::after{content:" ▲"}th[aria-sort=descending] button::after{content:" ▼"}
tbody tr:hover td{background:color-mix(in srgb,var(--line) 35%,var(--card))}
.charts{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,34rem),1fr));gap:1rem;margin-top:1.2rem;
align-items:start}
figure{margin:0;padding:.8rem;border:1px solid var(--line);border-radius:8px;background:var(--card)}
figcaption{font-weight:600;font-size:.9rem;margin-bottom:.3rem}
svg{width:100%;height:auto;display:block}svg text{fill:var(--ink);font:12px system-ui,sans-serif}
svg text.soft{fill:var(--soft)}.grid{stroke:var(--line);fill:none}.bar{fill:var(--bar)}.bar.first{fill:var(--first)}
.whisker{stroke:var(--ink);fill:none;stroke-width:1.2;opacity:.75}.whisker.strong{stroke-width:2.5;opacity:1}
details{border:1px solid var(--line);border-radius:8px;background:var(--card);margin:.5rem 0;padding:.5rem .8rem}
summary{cursor:pointer;overflow-wrap:anywhere}summary b{font-variant-numeric:tabular-nums;margin-inline-end:.5rem}
.sides{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,20rem),1fr));gap:1rem;margin:.8rem 0}
.text{max-height:26rem;overflow:auto;white-space:pre-wrap;overflow-wrap:anywhere;border:1px solid var(--line);
border-radius:6px;padding:.6rem;font-size:.92rem}
del{background:var(--bad);color:var(--ink-on-mark);text-decoration:none;border-radius:2px}
ins{background:var(--extra);color:var(--ink-on-mark);text-decoration:none;border-radius:2px}
h4 del,h4 ins{font-weight:400;padding:0 .3rem}
iframe{width:100%;height:32rem;border:1px solid var(--line);border-radius:6px;background:#fff}
.wrong{color:#c0392b}
@media (max-width:40rem){body{padding:.8rem .6rem 3rem;font-size:14px}th,td{padding:.3rem .5rem}iframe{height:24rem}
svg text{font-size:15px}}
"""

#: Sorting by a column: numbers by size, the rest by letters, what is empty last; the first click: largest first.
SCRIPT: Final = """
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
"""
