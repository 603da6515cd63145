import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { PictureReport } from './PictureReport.tsx';

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <PictureReport />
  </StrictMode>,
);
