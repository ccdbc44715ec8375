import { QueryClientProvider } from '@tanstack/react-query';
import { BrowserRouter, Navigate, Route, Routes } from 'react-router';
import { paths } from '../api/paths';
import { Overlays } from '../ui/overlays';
import { Announcements } from './announcements';
import { Guard } from './guard';
import { NotFound } from './not-found';
import { queryClient } from './query-client';
import { routes } from './routes';
import { Shell } from './shell';

export function App() {
  return (
    <QueryClientProvider client={queryClient}>
      <BrowserRouter>
        <Announcements />
        <Routes>
          <Route element={<Shell />}>
            <Route path="/" element={<Navigate to={paths.home()} replace />} />
            {routes.map(({ path, auth, Screen }) => (
              <Route
                key={path}
                path={path}
                element={
                  auth ? (
                    <Guard>
                      <Screen />
                    </Guard>
                  ) : (
                    <Screen />
                  )
                }
              />
            ))}
            <Route path="*" element={<NotFound />} />
          </Route>
        </Routes>
      </BrowserRouter>
      <Overlays />
    </QueryClientProvider>
  );
}
