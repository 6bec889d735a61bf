// Seeks 50 times at random in a video at an address and prints how long each took until its picture was there:
//   node tests/bench/seek.mjs ADDRESS
import { chromium } from 'playwright-core';

const [address, count = '50'] = process.argv.slice(2);
const browser = await chromium.launch({
	executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
	args: ['--no-sandbox', '--disable-gpu', '--autoplay-policy=no-user-gesture-required'],
});
const page = await browser.newPage();
const found = await page.evaluate(
	async ([src, n]) => {
		const video = document.createElement('video');
		video.muted = true;
		video.preload = 'auto';
		document.body.append(video);
		const once = (name) => new Promise((done) => video.addEventListener(name, done, { once: true }));
		const loaded = once('loadeddata');
		const from = performance.now();
		video.src = src;
		await loaded;
		const load = performance.now() - from;
		// the same places on every run
		let seed = 7;
		const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
		const times = [];
		for (let i = 0; i < n; i++) {
			const shown = new Promise((done) => video.requestVideoFrameCallback(done));
			const start = performance.now();
			video.currentTime = random() * (video.duration - 5);
			await shown;
			times.push(performance.now() - start);
		}
		return { load, duration: video.duration, times };
	},
	[address, Number(count)],
);
await browser.close();
const sorted = found.times.sort((a, b) => a - b);
const at = (share) => Math.round(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]);
console.log(
	`${sorted.length} random seeks in ${Math.round(found.duration)} s of video: median ${at(0.5)} ms, 95th percentile ${at(0.95)} ms, slowest ${at(1)} ms; first picture after ${Math.round(found.load)} ms`,
);
