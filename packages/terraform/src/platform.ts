/** As release files spell it: `linux` and `amd64`. */
export interface Platform {
  readonly os: string;
  readonly arch: string;
}

const oses: Readonly<Record<string, string>> = { win32: "windows", sunos: "solaris" };
const archs: Readonly<Record<string, string>> = { x64: "amd64", ia32: "386" };

/** Of the machine that runs this process, which is the one that will run the binary. */
export function machinePlatform(): Platform {
  const { platform, arch } = process;
  return { os: oses[platform] ?? platform, arch: archs[arch] ?? arch };
}
