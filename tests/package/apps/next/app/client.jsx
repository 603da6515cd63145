'use client';

import { reduceLogSum, reduceSumSquare } from 'onnx-reduce';
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
    report({ reduceSumSquare, reduceLogSum, createReducer }, document.getElementById('server').textContent).catch(fail);
  }, []);
  return <p>{threads} threads</p>;
}
