// The code panel: the snippet for what is shown, and a button that copies it.

import { announce, byId, tabs } from '../dom';
import { cliSnippet } from '../command';
import { jsSnippet } from '../snippet';
import { state, watch } from '../state';

let kind = 0;

export function startCode(): void {
  const mark = tabs([byId<HTMLButtonElement>('tab-js'), byId<HTMLButtonElement>('tab-cli')], (at) => {
    kind = at;
    mark(at);
    draw();
  });
  byId('copy').addEventListener('click', () => void copy(byId('copy'), byId('snippet-text').textContent ?? ''));
  byId('share').addEventListener('click', () => void copy(byId('share'), location.href));
  watch(['loaded', 'settings'], draw);
  watch(['source'], () => {
    byId('share').title = state.source.kind === 'file' ? 'The link carries the settings, not the file' : 'A link to what is shown';
  });
}

function draw(): void {
  const { loaded, settings } = state;
  byId('code').hidden = !loaded;
  if (!loaded) return;
  byId('snippet-text').textContent = kind === 0 ? jsSnippet(loaded, settings) : cliSnippet(loaded, settings);
}

async function copy(button: HTMLElement, text: string): Promise<void> {
  const label = button.textContent;
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = 'Copied';
    announce('Copied');
  } catch {
    // Without the right to the clipboard the text can still be selected.
    const range = document.createRange();
    range.selectNodeContents(byId('snippet-text'));
    if (button.id === 'copy') getSelection()?.setBaseAndExtent(range.startContainer, range.startOffset, range.endContainer, range.endOffset);
    button.textContent = button.id === 'copy' ? 'Selected' : 'Copy the address bar';
    announce('The browser does not allow copying');
  }
  setTimeout(() => { button.textContent = label; }, 1600);
}
