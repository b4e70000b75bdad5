import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { makeQueryClient } from './api/query-client';
import { Appearance } from './frame/Appearance';
import { makeRouter } from './router';
import './styles/index.css';

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no element with the id root');

createRoot(root).render(
  <StrictMode>
    <Appearance>
      <QueryClientProvider client={makeQueryClient()}>
        <RouterProvider router={makeRouter()} />
      </QueryClientProvider>
    </Appearance>
  </StrictMode>,
);
