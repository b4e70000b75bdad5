import { MantineProvider, createTheme } from '@mantine/core';

const theme = createTheme({
  fontFamily: 'var(--sans)',
  fontFamilyMonospace: 'var(--mono)',
  respectReducedMotion: true,
});

/** Mantine without its injected style elements: tokens.css gives it the variables it reads. */
export function Appearance({ children }: { children: React.ReactNode }) {
  return (
    <MantineProvider theme={theme} defaultColorScheme="auto" withCssVariables={false} withGlobalClasses={false}>
      {children}
    </MantineProvider>
  );
}
