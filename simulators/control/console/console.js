// The console is a view of the control API: every button is one call that curl could make too.
const $ = (id) => document.getElementById(id);

// The world that the page shows: the one in its own address.
const shown = new URLSearchParams(location.search).get('world') || 'default';

function inWorld(path) {
  return `/sim/v1/${path}${path.includes('?') ? '&' : '?'}world=${encodeURIComponent(shown)}`;
}

async function call(method, path, body) {
  const response = await fetch(path.startsWith('worlds') ? `/sim/v1/${path}` : inWorld(path), { method, headers: { 'Content-Type': 'application/json' }, body: body && JSON.stringify(body) });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error.message);
  return answer;
}

function attempt(action) {
  return async (event) => {
    event?.preventDefault?.(); // some actions follow a call and not a click
    try {
      await action(event);
      $('error').hidden = true;
    } catch (error) {
      $('error').textContent = error.message;
      $('error').hidden = false;
    }
  };
}

function make(tag, text, className) {
  const node = document.createElement(tag);
  if (text !== undefined) node.textContent = text;
  if (className) node.className = className;
  return node;
}

function fill(parent, items, empty) {
  parent.replaceChildren(...(items.length ? items : [make(parent.tagName === 'UL' ? 'li' : 'tr', empty, 'empty')]));
}

function row(...cells) {
  const line = make('tr');
  line.append(...cells.map((cell) => (cell instanceof Node ? cell : make('td', cell))));
  return line;
}

const wall = new Intl.DateTimeFormat('zh-CN', { timeZone: 'Asia/Shanghai', dateStyle: 'medium', timeStyle: 'medium' });
const showTime = (text) => wall.format(new Date(text));

async function showWorlds() {
  const { worlds } = await call('GET', 'worlds');
  const known = worlds.some((world) => world.id === shown) ? worlds : [{ id: shown }, ...worlds];
  const ids = known.map((world) => world.id).join(' ');
  if ($('world').dataset.ids === ids) return;
  $('world').dataset.ids = ids;
  $('world').replaceChildren(...known.map((world) => new Option(world.id === 'default' ? '默认世界' : world.id, world.id)));
  $('world').value = shown;
}

const visit = (world) => { location.search = world === 'default' ? '' : `?world=${encodeURIComponent(world)}`; };

async function showClock() {
  const clock = await call('GET', 'clock');
  $('freeze').textContent = clock.frozen ? '继续走时' : '冻结';
  $('freeze').dataset.call = clock.frozen ? 'clock/resume' : 'clock/freeze';
  $('now').textContent = showTime(clock.now);
  $('offset').textContent = clock.offset_seconds ? `比真实时间快 ${Math.round(clock.offset_seconds)} 秒` : '与真实时间一致';
}

async function showInbox() {
  const { messages } = await call('GET', `sms/messages?phone=${encodeURIComponent($('phone').value.trim())}`);
  fill($('inbox'), messages.slice(0, 20).map((message) => {
    const item = make('li');
    item.append(make('b', message.code || '—'), ` ${message.phone} `, make('small', showTime(message.at)), make('div', message.text));
    return item;
  }), '还没有短信');
}

let providers = [];

async function showFaults() {
  const answer = await call('GET', 'faults');
  if (!providers.length) {
    providers = answer.providers;
    $('provider').replaceChildren(...providers.map((p) => new Option(p.name)));
    $('journal-provider').append(...providers.map((p) => new Option(p.name)));
    showOperations();
  }
  fill($('faults'), answer.faults.map((fault) => {
    const remove = make('button', '移除', 'quiet');
    remove.addEventListener('click', attempt(() => call('DELETE', `faults/${fault.id}`).then(showFaults)));
    const cell = make('td');
    cell.append(remove);
    return row(fault.id, fault.provider, fault.operation, fault.do, fault.skip || 0, fault.times || '每次', `${fault.hits} / ${fault.seen}`, cell);
  }), '没有计划任何故障');
}

const wireWords = ['latency', 'status', 'html', 'error', 'reset', 'hang', 'act-then-reset', 'act-then-hang', 'truncate', 'malformed'];

function showOperations() {
  const provider = providers.find((p) => p.name === $('provider').value);
  $('operation').replaceChildren(new Option('*'), ...provider.operations.map((o) => new Option(o)));
  showWords();
}

function showWords() {
  const provider = providers.find((p) => p.name === $('provider').value);
  const operation = $('operation').value;
  const own = Object.entries(provider.words ?? {}).filter(([, at]) => operation === '*' || at.includes(operation)).map(([word]) => word);
  $('do').replaceChildren(...[...own, ...wireWords].map((word) => new Option(word)));
}

let journalShown = '';

async function showJournal() {
  const query = new URLSearchParams({ limit: '50', provider: $('journal-provider').value, verdict: $('journal-verdict').value });
  const { entries } = await call('GET', `journal?${query}`);
  const state = `${query} ${entries[0]?.id}`;
  if (state === journalShown) return; // keeps an opened entry open
  journalShown = state;
  fill($('journal'), entries.map((entry) => {
    const text = make('td', undefined, 'text');
    const more = make('details');
    more.append(make('summary', entry.reason || entry.fault || `${entry.method} ${entry.path}`), make('pre', `→ ${entry.request}\n\n← ${entry.answer}`));
    text.append(more);
    return row(showTime(entry.at), entry.provider, entry.operation, entry.status || '—', make('td', entry.verdict, entry.verdict), text);
  }), '还没有调用');
}

async function showCatalogue() {
  const catalogue = await call('GET', 'catalogue');
  fill($('cards'), catalogue.cards.map((card) => row(card.kahao, card.pass, card.pid, (card.points / 100).toFixed(2), card.note ?? '')), '没有卡');
  fill($('magic'), [...catalogue.phones, ...catalogue.amounts].map((magic) => {
    const item = make('li');
    item.append(make('b', magic.value), ` ${magic.effect}`);
    return item;
  }), '没有特殊值');
  if (catalogue.addresses.shop) {
    $('shop').href = catalogue.addresses.shop;
    $('shop').hidden = false;
  }
}

const refresh = attempt(async () => {
  await Promise.all([showWorlds(), showClock(), showInbox(), showFaults(), showJournal()]);
});

for (const button of document.querySelectorAll('[data-seconds]')) {
  button.addEventListener('click', attempt(() => call('POST', 'clock/advance', { seconds: Number(button.dataset.seconds) }).then(refresh)));
}
$('reset').addEventListener('click', attempt(() => call('POST', 'clock/reset').then(refresh)));
$('freeze').addEventListener('click', attempt(() => call('POST', $('freeze').dataset.call).then(refresh)));
$('world').addEventListener('change', () => visit($('world').value));
$('new-world').addEventListener('click', attempt(() => call('POST', 'worlds').then((world) => visit(world.id))));
$('fork').addEventListener('click', attempt(() => call('POST', `worlds/${shown}/fork`).then((world) => visit(world.id))));
$('begin-again').addEventListener('click', attempt(() => call('POST', `worlds/${shown}/reset`).then(refresh)));
$('end-world').hidden = shown === 'default';
$('end-world').addEventListener('click', attempt(() => call('DELETE', `worlds/${shown}`).then(() => visit('default'))));
$('snapshot').href = `/sim/v1/worlds/${encodeURIComponent(shown)}/snapshot`;
$('snapshot').download = `${shown}.world.json`;
$('telephone').href = shown === 'default' ? '/phone' : `/phone?world=${encodeURIComponent(shown)}`;
$('values').href = inWorld('catalogue');
$('phone').addEventListener('input', attempt(showInbox));
$('provider').addEventListener('change', showOperations);
$('operation').addEventListener('change', showWords);
$('journal-provider').addEventListener('change', attempt(showJournal));
$('journal-verdict').addEventListener('change', attempt(showJournal));
$('clear-faults').addEventListener('click', attempt(() => call('DELETE', 'faults').then(showFaults)));
$('plan').addEventListener('submit', attempt(async () => {
  const fault = { provider: $('provider').value, operation: $('operation').value, do: $('do').value, skip: Number($('skip').value), times: Number($('times').value) };
  if (Number($('latency').value)) fault.latency_ms = Number($('latency').value);
  await call('POST', 'faults', fault);
  await showFaults();
}));

attempt(showCatalogue)();
refresh();
setInterval(() => { if (!document.hidden) refresh(); }, 2000);
