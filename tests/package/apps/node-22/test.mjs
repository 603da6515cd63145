import { nodeRelease } from '../../node_release.mjs';

export default nodeRelease('22.23.3');
