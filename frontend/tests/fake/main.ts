import { install, type Options } from './services';

const given = (window as { fakeOptions?: Partial<Options> }).fakeOptions;
install(window, given ?? Object.fromEntries(new URLSearchParams(location.search)));
