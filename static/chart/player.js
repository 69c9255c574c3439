// Frames, played in the browser without the server: a button, a slider and the frame's name.

export const PLAYER_HEIGHT = 44;
const FRAME_DELAY = 50; // ms between frames
const JUMP = {
  mode: "immediate",
  frame: { duration: 0, redraw: false },
  transition: { duration: 0 },
};

export function showPlayer(chart, keep) {
  const { frames, prefix, start } = chart.header;
  if (!frames) {
    stop(chart);
    chart.player?.remove();
    chart.player = null;
    return;
  }
  if (!chart.player) chart.gd.after((chart.player = createPlayer(chart)));
  chart.player.slider.max = frames.length - 1;
  chart.player.slider.setAttribute("aria-label", prefix || chart.header.words.frame);
  showFrame(chart, keep ? chart.frame : start);
}

function createPlayer(chart) {
  const player = Object.assign(document.createElement("div"), { className: "posenc-player" });
  const [button, slider, output] = ["button", "input", "output"].map((tag) =>
    player.appendChild(document.createElement(tag)),
  );
  Object.assign(button, {
    type: "button",
    textContent: chart.header.words.play,
    onclick: () => (chart.playing ? stop(chart) : play(chart)),
  });
  Object.assign(slider, {
    type: "range",
    min: 0,
    value: 0,
    oninput: () => (stop(chart), showFrame(chart, +slider.value)),
  });
  return Object.assign(player, { button, slider, output });
}

function play(chart) {
  if (chart.frame === chart.header.frames.length - 1) chart.frame = -1;
  chart.player.button.textContent = chart.header.words.pause;
  chart.playing = setInterval(() => {
    showFrame(chart, chart.frame + 1);
    if (chart.frame === chart.header.frames.length - 1) stop(chart);
  }, FRAME_DELAY);
}

export function stop(chart) {
  clearInterval(chart.playing);
  chart.playing = null;
  if (chart.player) chart.player.button.textContent = chart.header.words.play;
}

function showFrame(chart, index) {
  const { frames, prefix, data } = chart.header;
  const { slider, output } = chart.player;
  chart.frame = Math.min(index, frames.length - 1);
  slider.value = chart.frame;
  output.textContent = prefix + frames[chart.frame].name;
  slider.setAttribute("aria-valuetext", output.textContent);
  const redraw = data.some((trace) => trace.type === "heatmap");
  const options = { ...JUMP, frame: { duration: 0, redraw } };
  // plotly rejects the promise of a frame that a newer one has replaced
  chart.plotly.animate(chart.gd, [frames[chart.frame].name], options).catch(() => {});
}

// Frames of hands that turn, made here from their speeds; plots/clocks.py makes the same for files.
export function turningFrames({ positions, speeds, per_row: perRow, spacing }) {
  const rows = Math.ceil(speeds.length / perRow);
  const traces = Array.from({ length: 2 * rows }, (_, index) => index);
  return Array.from(positions, (position) => {
    const tips = Array.from(speeds, (speed, index) => {
      const centre = spacing * (index % perRow);
      return { centre, x: centre + Math.cos(position * speed), y: Math.sin(position * speed) };
    });
    const byRow = Array.from({ length: rows }, (_, row) =>
      tips.slice(row * perRow, (row + 1) * perRow),
    );
    const ends = byRow.map((row) =>
      curve(
        row.map(({ x }) => x),
        row.map(({ y }) => y),
      ),
    );
    // A gap between hands is a point that is not a number.
    const hands = byRow.map((row) =>
      curve(
        row.flatMap(({ centre, x }) => [centre, x, NaN]),
        row.flatMap(({ y }) => [0, y, NaN]),
      ),
    );
    return { name: position.toLocaleString("en"), data: [...ends, ...hands], traces };
  });
}

function curve(x, y) {
  return { type: "scatter", x: Float32Array.from(x), y: Float32Array.from(y) };
}
