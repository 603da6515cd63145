// Two helpers that keep the views short.

/** An element of the page that must be there. */
export function byId<E extends HTMLElement = HTMLElement>(id: string): E {
  const element = document.getElementById(id);
  if (!element) throw new Error(`The page has no element #${id}`);
  return element as E;
}

type Child = Node | string | undefined;

/** Makes an element: properties by name, attributes when they contain a dash or are `role`. */
export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K, properties: Record<string, unknown> = {}, ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === false && name.includes('-')) continue;
    if (name.includes('-') || name === 'role' || name === 'for') element.setAttribute(name, String(value));
    else Reflect.set(element, name, value);
  }
  element.append(...children.filter((child) => child !== undefined));
  return element;
}

/** Writes an error where it belongs; an empty text hides it. */
export function showError(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text;
  if (element.classList.contains('notice')) element.hidden = text === '';
}

/** Makes a row of role=tab buttons behave: arrow keys, roving tabindex, one selected. */
export function tabs(buttons: HTMLButtonElement[], select: (at: number) => void): (at: number) => void {
  const mark = (at: number) => buttons.forEach((button, i) => {
    button.setAttribute('aria-selected', String(i === at));
    button.tabIndex = i === at ? 0 : -1;
  });
  buttons.forEach((button, at) => {
    button.type = 'button';
    button.addEventListener('click', () => select(at));
    button.addEventListener('keydown', (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      const to = event.key === 'Home' ? 0 : event.key === 'End' ? buttons.length - 1
        : step === undefined ? undefined : (at + step + buttons.length) % buttons.length;
      if (to === undefined) return;
      event.preventDefault();
      buttons[to]!.focus();
      select(to);
    });
  });
  mark(0);
  return mark;
}

/** Hands a file to the visitor. */
export function download(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  make('a', { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

let announcing: ReturnType<typeof setTimeout> | undefined;

/** Says something to screen readers, once things have settled. */
export function announce(text: string): void {
  clearTimeout(announcing);
  announcing = setTimeout(() => { byId('announce').textContent = text; }, 150);
}
