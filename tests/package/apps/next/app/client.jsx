'use client';

import { reduceLogSum, reduceSumSquare } from 'onnx-reduce'; // for report.mjs
import { createReducer } from 'onnx-reduce/threads';
import { useEffect, useState } from 'react';
import { fail, report } from './report.mjs';

export default function Client() {
  const [threads, setThreads] = useState(0);
  useEffect(() => {
    // React runs effects twice in development: each run has a reducer of its own.
    const pending = createReducer({ threads: 'auto' });
    pending.then((reducer) => setThreads(reducer.threads));
    return () => { pending.then((reducer) => reducer.dispose()); };
  }, []);
  // check
  useEffect(() => {
    globalThis.effects = (globalThis.effects ?? 0) + 1;
    if (threads === 0) return;
    const result = document.getElementById('server').textContent;
    report({ reduceSumSquare, reduceLogSum, createReducer }, globalThis.effects > 2 ? `${result} and twice mounted` : result).catch(fail);
  }, [threads]);
  // end of check
  return <p>{threads} threads</p>;
}
