'use strict';
const byId = (id) => document.getElementById(id);
let shown = null;

function show(mail) {
  shown = mail.id;
  byId('subject').textContent = mail.subject;
  byId('facts').textContent = `to ${mail.to.join(', ')} · from ${mail.from} · ${new Date(mail.received).toLocaleString()}`;
  const frame = byId('body');
  const text = byId('text');
  frame.hidden = !mail.html;
  text.hidden = Boolean(mail.html);
  if (mail.html) frame.src = `/api/messages/${encodeURIComponent(mail.id)}/html`;
  else text.textContent = mail.text;
}

function entry(mail) {
  const item = document.createElement('li');
  const button = document.createElement('button');
  const facts = document.createElement('small');
  button.type = 'button';
  button.textContent = mail.subject;
  button.setAttribute('aria-current', String(mail.id === shown));
  facts.textContent = `${mail.to.join(', ')} · ${new Date(mail.received).toLocaleTimeString()}`;
  button.append(facts);
  button.addEventListener('click', () => { show(mail); refresh(); });
  item.append(button);
  return item;
}

async function refresh() {
  const answer = await fetch('/api/messages');
  const mails = await answer.json();
  byId('list').replaceChildren(...mails.map(entry));
  byId('empty').hidden = mails.length > 0;
  if (shown === null && mails.length > 0) { show(mails[0]); await refresh(); }
}

refresh();
setInterval(() => { if (!document.hidden) refresh(); }, 2000);
