// The page: starts the views, reads the link, loads what it names.

import { load } from './controller';
import { fromHash, state, toHash, update } from './state';
import { startCode } from './view/code';
import { startCompare } from './view/compare';
import { startData } from './view/data';
import { startOperation } from './view/operation';
import { startResult } from './view/result';
import { startTheme } from './view/theme';

update(fromHash(location.hash));
startTheme();
startData();
startOperation();
startResult();
startCompare();
startCode();
void load(state.source);

addEventListener('hashchange', ({ newURL }) => {
  // Our own rewriting does not come here; a link that was pasted does, even
  // when its address has been rewritten since.
  const { hash } = new URL(newURL);
  if (hash === `#${toHash(state)}`) return;
  update(fromHash(hash));
  void load(state.source);
});
