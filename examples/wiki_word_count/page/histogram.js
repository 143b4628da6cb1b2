// Shows the words that come most. Messages are {"tuple":{"word":"a","count":3}}.
const counts = new Map(); // word -> {count, at}
const bars = document.getElementById("bars");
const state = document.getElementById("state");
const rows = [];
const kRows = 25, kForget = 5000; // rows of the page; ms after which a word that comes no more goes

for (let i = 0; i < kRows; ++i) {
  const row = document.createElement("div");
  row.className = "row";
  const parts = ["word", "bar", "count"].map((name) => {
    const part = document.createElement("span");
    part.className = name;
    return row.appendChild(part);
  });
  rows.push({ row, parts });
  bars.append(row);
}

function draw() {
  const now = Date.now();
  for (const [word, { at }] of counts)
    if (now - at > kForget) counts.delete(word);
  const most = [...counts].sort((a, b) => b[1].count - a[1].count).slice(0, kRows);
  const scale = most.length ? most[0][1].count : 1;
  rows.forEach(({ row, parts: [word, bar, count] }, i) => {
    row.hidden = i >= most.length;
    if (row.hidden) return;
    word.textContent = most[i][0];
    count.textContent = most[i][1].count;
    bar.style.width = `${(26 * most[i][1].count) / scale}em`;
  });
}

function connect() {
  const socket = new WebSocket(`ws://${location.host}/page/Published/ports/input/0/wssend`);
  socket.onopen = () => (state.textContent = "connected");
  socket.onmessage = ({ data }) => {
    const { tuple } = JSON.parse(data);
    if (tuple) counts.set(tuple.word, { count: tuple.count, at: Date.now() });
  };
  socket.onclose = () => {
    state.textContent = "the program has gone; trying again";
    setTimeout(connect, 1000);
  };
}

connect();
setInterval(draw, 500);
