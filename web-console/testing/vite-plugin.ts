import type { Plugin } from 'vite';
import { TestingApi } from './api';
import { freightState } from './freight';
import { answerApi } from './server';

/** The dev server with an account in full use, and no control plane. */
export function testingApiPlugin(): Plugin {
  const api = new TestingApi(freightState());
  return {
    name: 'penstock-testing-api',
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        answerApi(api, request, response).then((answered) => (answered ? undefined : next()), next);
      });
    },
  };
}
