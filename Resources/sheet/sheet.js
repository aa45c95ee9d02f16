"use strict";
(() => {
  const byID = (id) => document.getElementById(id);
  const photos = [...document.querySelectorAll(".photo")];
  const [view, list] = [byID("view"), byID("list")];
  const names = photos.map((photo) => photo.dataset.name);
  const marked = new Set();
  let current = 0;

  // The marks stay when the page is closed, as far as the browser stores them for a file.
  const hash = [...document.title + names.join("\n")].reduce((sum, c) => (sum * 31 + c.codePointAt(0)) | 0, 7);
  const store = `tintype-sheet-${hash}`;
  const isPhoto = (name) => names.includes(name);
  try {
    for (const name of JSON.parse(localStorage.getItem(store)).filter(isPhoto)) marked.add(name);
  } catch {}

  const press = (button, isPressed) => button.setAttribute("aria-pressed", isPressed);

  function showMarks() {
    photos.forEach((photo, index) => {
      const isMarked = marked.has(names[index]);
      photo.classList.toggle("marked", isMarked);
      press(photo.querySelector(".mark"), isMarked);
    });
    press(byID("view-mark"), marked.has(names[current]));
    byID("count").textContent = marked.size;
    for (const id of ["copy", "only"]) byID(id).disabled = marked.size === 0;
    if (marked.size === 0) showOnlyMarked(false);
  }

  function toggle(index) {
    const name = names[index];
    if (!marked.delete(name)) marked.add(name);
    try { localStorage.setItem(store, JSON.stringify([...marked])); } catch {}
    showMarks();
  }

  function showOnlyMarked(isOn) {
    document.body.classList.toggle("only-marked", isOn);
    press(byID("only"), isOn);
  }

  const isShown = (photo) => photo.offsetParent !== null;
  const shown = () => photos.map((_, index) => index).filter((index) => view.open || isShown(photos[index]));

  function focus(index) {
    current = index;
    photos[index].querySelector(".open").focus();
  }

  // The large view.
  function show(index) {
    current = index;
    const photo = photos[index];
    const image = byID("large");
    image.src = photo.dataset.large;
    image.alt = photo.querySelector("img").alt;
    byID("view-text").replaceChildren(...[...photo.querySelector(".text").childNodes].map((node) => node.cloneNode(true)));
    byID("caption").textContent = photo.dataset.caption ?? "";
    byID("place").textContent = `${index + 1} / ${photos.length}`;
    byID("previous").disabled = index === 0;
    byID("next").disabled = index === photos.length - 1;
    press(byID("view-mark"), marked.has(names[index]));
    if (!view.open) view.showModal();
    byID("stage").focus();
  }

  const turn = (step) => { if (photos[current + step]) show(current + step); };

  // The list of names.
  async function copy() {
    const text = names.filter((name) => marked.has(name)).join("\n") + "\n";
    const field = byID("names");
    field.value = text;
    byID("copied").textContent = "";
    list.showModal();
    field.select();
    let isCopied = false;
    try {
      await navigator.clipboard.writeText(text);
      isCopied = true;
    } catch {
      field.select();
      try { isCopied = document.execCommand("copy"); } catch {}
    }
    byID("copied").textContent = isCopied ? list.dataset.copied : list.dataset.manual;
  }

  // Keys.
  function columns() {
    const all = shown();
    const top = photos[all[0]]?.offsetTop;
    return Math.max(1, all.filter((index) => photos[index].offsetTop === top).length);
  }

  function move(step) {
    const all = shown();
    const place = all.indexOf(current) + step;
    if (all[place] !== undefined) focus(all[place]);
  }

  const viewKeys = {
    ArrowLeft: () => turn(-1), ArrowUp: () => turn(-1), ArrowRight: () => turn(1), ArrowDown: () => turn(1),
    Home: () => show(0), End: () => show(photos.length - 1), Enter: () => view.close(), " ": () => view.close(),
  };
  const pageKeys = {
    ArrowLeft: () => move(-1), ArrowRight: () => move(1), ArrowUp: () => move(-columns()),
    ArrowDown: () => move(columns()), Enter: () => show(current), " ": () => show(current),
  };

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || list.open || photos.length === 0) return;
    if (["m", "p"].includes(event.key.toLowerCase())) return toggle(current);
    const isButton = event.target.closest("button") !== null;
    if (isButton && ["Enter", " "].includes(event.key)) return;
    const action = (view.open ? viewKeys : pageKeys)[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });

  photos.forEach((photo, index) => {
    photo.querySelector(".open").addEventListener("click", () => show(index));
    photo.querySelector(".open").addEventListener("focus", () => { current = index; });
    photo.querySelector(".mark").addEventListener("click", () => { current = index; toggle(index); });
  });
  byID("view-mark").addEventListener("click", () => toggle(current));
  byID("previous").addEventListener("click", () => turn(-1));
  byID("next").addEventListener("click", () => turn(1));
  byID("close").addEventListener("click", () => view.close());
  byID("large").addEventListener("click", () => view.close());
  view.addEventListener("close", () => { if (isShown(photos[current])) focus(current); });
  byID("copy").addEventListener("click", copy);
  byID("only").addEventListener("click", () => showOnlyMarked(!document.body.classList.contains("only-marked")));
  byID("done").addEventListener("click", () => list.close());
  showMarks();
})();
