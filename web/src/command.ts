// The command line that does what the page just did.

import { newestOpset, operatorOf, versionOf, worthSharing } from './operators';
import type { Loaded, Settings } from './protocol';

/** A file's name as a shell takes it, and as no option. */
function word(name: string): string {
  const plain = name.startsWith('-') ? `./${name}` : name;
  return /^[\w./-]+$/.test(plain) ? plain : `'${plain.replaceAll('\'', '\'\\\'\'')}'`;
}

/** Whether the settings still are what the model says: then the model itself can be run. */
function followsModel({ model }: Loaded, settings: Settings): boolean {
  return Object.entries(model ?? {}).every(([name, value]) => JSON.stringify(settings[name as keyof Settings]) === JSON.stringify(value));
}

function threadsText({ bytes }: Loaded, { threads }: Settings): string {
  return threads === 1 || bytes < worthSharing ? '' : ` --threads ${threads}`;
}

/** The same through the package's command. */
export function cliSnippet(loaded: Loaded, settings: Settings): string {
  const { operator, axes, keepdims, noop, opset } = settings;
  if (loaded.layout?.format === 'onnx' && followsModel(loaded, settings)) {
    const files = (loaded.modelInputs ?? []).map((name, at) => word(name || `input_${at}.pb`));
    return `npx onnx-reduce run ${[word(loaded.name), ...files].join(' ')}${threadsText(loaded, settings)} -o reduced.npy`;
  }
  if (noop === 'identity' && axes.length === 0) {
    return '# The command applies the element-wise part under --noop; a copy of the input takes no command.';
  }
  const source = loaded.origin ?? loaded;
  const { format } = source.layout ?? {};
  const readable = format === 'npy' || format === 'pb';
  const options = [
    axes.length > 0 ? ` --axes ${axes.join(',')}` : '',
    keepdims ? '' : ' --no-keepdims',
    noop === 'off' ? '' : ' --noop',
    versionOf(operatorOf(operator), opset)?.since === newestOpset(operatorOf(operator), loaded.type) ? '' : ` --opset ${opset}`,
    loaded.type === 'bfloat16' && format !== 'pb' ? ' --type bfloat16' : '',
    threadsText(loaded, settings),
  ].join('');
  const remark = readable ? '' : '# with the data saved as input.npy\n';
  return `${remark}npx onnx-reduce ${operator} ${readable ? word(source.name) : 'input.npy'}${options} -o reduced.npy`;
}
