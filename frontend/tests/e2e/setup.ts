// Makes what the tests share: a small video, its pictures, the fake as one script, and the servers that stand for the
// window's assets and for the loopback media server.
import { execFileSync } from 'node:child_process';
import { createReadStream, existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import type { TestProject } from 'vitest/node';

const root = fileURLToPath(new URL('../..', import.meta.url));
const out = join(root, 'test-results');

declare module 'vitest' {
  export interface ProvidedContext {
    page: string;
    media: string;
    frames: string;
    fake: string;
    out: string;
  }
}

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.mp4': 'video/mp4',
  '.jpg': 'image/jpeg',
};

function video(path: string) {
  if (existsSync(path)) return;
  const text = (words: string, from: number, to: number, more: string) =>
    `drawtext=text='${words}':enable='between(t,${from},${to})':fontcolor=white:${more}`;
  const filter = [
    'drawbox=x=84:y=90:w=540:h=400:color=0xf5f2ea:t=fill:enable=between(t\\,10.4\\,33)',
    'drawbox=x=820:y=230:w=240:h=300:color=0xb98766:t=fill,drawbox=x=740:y=520:w=400:h=200:color=0x3e5a66:t=fill',
    text('Harbour Street Money', 0, 7, 'fontsize=40:x=90:y=600:box=1:boxcolor=0x10161a@0.8:boxborderw=14'),
    text('Halyard Income Note', 10.4, 18, 'fontsize=56:fontcolor=0x4a4f50:x=110:y=110'),
    text('9.5\\\\% a year', 18.6, 27.3, 'fontsize=110:fontcolor=0x1d3b3a:x=112:y=205'),
    text('Illustrative. Not a promise of future results. See the term sheet.', 34, 35.6, 'fontsize=22:x=110:y=640'),
    text('Savings 4.6 / Note 9.5', 44.6, 52.8, 'fontsize=50:x=650:y=160'),
    "drawtext=text='%{pts\\:hms}':fontcolor=white@0.5:fontsize=24:x=w-220:y=30",
  ].join(',');
  execFileSync('ffmpeg', [
    ...['-v', 'error', '-y', '-f', 'lavfi', '-i', 'color=c=0x22333b:s=1280x720:r=25:d=90'],
    ...['-f', 'lavfi', '-i', 'sine=frequency=220:duration=90', '-vf', filter],
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '50', '-pix_fmt', 'yuv420p', '-c:a', 'aac', '-b:a', '48k'],
    ...['-movflags', '+faststart', path],
  ]);
}

function send(req: IncomingMessage, res: ServerResponse, path: string) {
  const size = statSync(path).size;
  const range = /bytes=(\d+)-(\d*)/.exec(req.headers.range ?? '');
  const from = range ? Number(range[1]) : 0;
  const to = range?.[2] ? Number(range[2]) : size - 1;
  res.writeHead(range ? 206 : 200, {
    'Content-Type': types[extname(path)] ?? 'application/octet-stream',
    'Content-Length': to - from + 1,
    'Accept-Ranges': 'bytes',
    ...(range ? { 'Content-Range': `bytes ${from}-${to}/${size}` } : {}),
  });
  createReadStream(path, { start: from, end: to }).pipe(res);
}

async function serve(answer: (path: string, url: URL) => string | null): Promise<{ url: string; close: () => void }> {
  const server = createServer((req, res) => {
    const url = new URL(req.url ?? '/', 'http://local');
    const file = answer(normalize(decodeURIComponent(url.pathname)), url);
    if (file && existsSync(file)) send(req, res, file);
    else res.writeHead(404).end();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() };
}

export default async function (project: TestProject) {
  mkdirSync(join(out, 'frames'), { recursive: true });
  const film = join(out, 'demo.mp4');
  video(film);
  if (!existsSync(join(out, 'frames', '90.jpg'))) {
    execFileSync('ffmpeg', [
      '-v',
      'error',
      '-y',
      '-i',
      film,
      '-vf',
      'fps=1,scale=640:-1',
      join(out, 'frames', '%d.jpg'),
    ]);
  }
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    build: {
      outDir: join(out, 'fake'),
      lib: {
        entry: join(root, 'tests/fake/main.ts'),
        formats: ['iife'],
        name: 'fakeServices',
        fileName: () => 'fake.js',
      },
    },
  });
  if (!existsSync(join(root, 'dist/index.html'))) throw new Error('the window is not built: npm run build');

  const page = await serve((path) => join(root, 'dist', path === '/' ? 'index.html' : path));
  const media = await serve((path, url) => {
    if (path === '/media') return film;
    if (path === '/frame') {
      const second = Math.min(90, Math.max(1, Math.round(Number(url.searchParams.get('ms')) / 1000) + 1));
      return join(out, 'frames', `${second}.jpg`);
    }
    return null;
  });
  project.provide('page', page.url);
  project.provide('media', `${media.url}/media`);
  project.provide('frames', `${media.url}/frame`);
  project.provide('fake', readFileSync(join(out, 'fake/fake.js'), 'utf8'));
  project.provide('out', out);
  return () => {
    page.close();
    media.close();
  };
}
