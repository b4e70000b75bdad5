import { QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, RouterProvider } from '@tanstack/react-router';
import { configure, render } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { vi } from 'vitest';
import { makeQueryClient } from '../src/api/query-client';
import { Appearance } from '../src/frame/Appearance';
import { makeRouter } from '../src/router';
import { TestingApi } from './api';
import { emptyState, type TestingState } from './seed';

// The machine that runs the tests may be busy; a wait ends as soon as its condition holds.
configure({ asyncUtilTimeout: 60_000 });

/** The whole console at a path, over a testing API that answers in place of the network. */
export function renderApp(path: string, state: TestingState = emptyState()) {
  const api = new TestingApi(state);
  vi.stubGlobal('fetch', (request: Request) => api.handle(request));
  const router = makeRouter(createMemoryHistory({ initialEntries: [path] }));
  const client = makeQueryClient();
  render(
    <Appearance>
      <QueryClientProvider client={client}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </Appearance>,
  );
  return { api, state, router, user: userEvent.setup({ delay: null }) };
}
