// A plugin of TypeDoc: lists what is said of each member of a union, which the
// Markdown theme leaves out.
import { Comment, Converter, ReflectionKind } from 'typedoc';

export function load(app) {
  app.converter.on(Converter.EVENT_RESOLVE_END, ({ project }) => {
    for (const alias of project.getReflectionsByKind(ReflectionKind.TypeAlias)) {
      const { elementSummaries, types } = alias.type ?? {};
      if (!elementSummaries) continue;
      alias.comment ??= new Comment();
      elementSummaries.forEach((summary, i) => {
        alias.comment.summary.push({ kind: 'text', text: `${i === 0 ? '\n\n' : '\n'}- \`${types[i].value}\`: ` }, ...summary);
      });
    }
  });
}
