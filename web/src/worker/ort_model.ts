// A model of one Reduce node in ONNX's protobuf, as onnxruntime wants to be
// given an operator. The numbers are the field numbers of onnx.proto.

import protobuf from 'protobufjs/minimal.js';
import { typeOf } from '../operators';
import type { Settings, TypeName } from '../protocol';

type Writer = InstanceType<typeof protobuf.Writer>;
type Fill = (writer: Writer) => void;

function nested(writer: Writer, field: number, fill: Fill): void {
  writer.uint32((field << 3) | 2).fork();
  fill(writer);
  writer.ldelim();
}

function text(writer: Writer, field: number, value: string): void {
  writer.uint32((field << 3) | 2).string(value);
}

function integer(writer: Writer, field: number, value: number): void {
  writer.uint32(field << 3).int64(value);
}

function attribute(node: Writer, name: string, values: number[], list: boolean): void {
  nested(node, 5, (entry) => {
    text(entry, 1, name);
    for (const value of values) integer(entry, list ? 8 : 3, value);
    integer(entry, 20, list ? 7 : 2);
  });
}

function valueInfo(graph: Writer, field: number, name: string, type: TypeName, dims: readonly number[] | undefined): void {
  nested(graph, field, (info) => {
    text(info, 1, name);
    nested(info, 2, (kind) => nested(kind, 1, (tensor) => {
      integer(tensor, 1, typeOf(type).onnxCode);
      if (!dims) return;
      nested(tensor, 2, (shape) => {
        for (const dim of dims) nested(shape, 1, (entry) => integer(entry, 1, dim));
      });
    }));
  });
}

/** The bytes of a model with the input `data` and the output `reduced`. */
export function reduceModel(settings: Settings, type: TypeName, dims: readonly number[]): Uint8Array {
  // Later opsets than a runtime knows differ only in types it has no kernels for.
  const opset = Math.min(settings.opset, 18);
  const { axes } = settings;
  const axesAsInput = opset >= 18 && axes.length > 0;
  const model = new protobuf.Writer();
  integer(model, 1, 8);
  nested(model, 7, (graph) => {
    nested(graph, 1, (node) => {
      text(node, 1, 'data');
      if (axesAsInput) text(node, 1, 'axes');
      text(node, 2, 'reduced');
      text(node, 4, settings.operator);
      attribute(node, 'keepdims', [settings.keepdims ? 1 : 0], false);
      if (axes.length > 0 && !axesAsInput) attribute(node, 'axes', axes, true);
      if (opset >= 18 && settings.noop !== 'off') attribute(node, 'noop_with_empty_axes', [1], false);
    });
    text(graph, 2, 'reduce');
    if (axesAsInput) {
      nested(graph, 5, (tensor) => {
        integer(tensor, 1, axes.length);
        integer(tensor, 2, typeOf('int64').onnxCode);
        for (const axis of axes) integer(tensor, 7, axis);
        text(tensor, 8, 'axes');
      });
    }
    valueInfo(graph, 11, 'data', type, dims);
    valueInfo(graph, 12, 'reduced', type, undefined);
  });
  nested(model, 8, (entry) => integer(entry, 2, opset));
  return model.finish();
}
