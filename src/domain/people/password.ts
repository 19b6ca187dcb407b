/** What a password has to be. Length is what makes it hard to guess; any characters will do. */
const PASSWORD_MIN = 12
/** More would only keep the processor busy. */
const PASSWORD_MAX = 200
/** What has to be left of a password once everything that is easy to guess was taken out. */
const OWN_MIN = 4

export type PasswordFault = 'TOO_SHORT' | 'TOO_LONG' | 'COMMON' | 'LIKE_EMAIL'

/** `common`: the words that most passwords are made of, in lower case. */
export function passwordFault(
  password: string,
  email: string,
  common: readonly string[],
): PasswordFault | undefined {
  const length = [...password].length
  if (length < PASSWORD_MIN) return 'TOO_SHORT'
  if (length > PASSWORD_MAX) return 'TOO_LONG'
  const plain = password.toLowerCase()
  const names = email
    .toLowerCase()
    .split(/[@.+_-]/)
    .filter((part) => part.length > 2)
  const without = (words: readonly string[]): number => ownIn(plain, words)
  if (without(common) < OWN_MIN) return 'COMMON'
  return without([...common, ...names]) < OWN_MIN ? 'LIKE_EMAIL' : undefined
}

/** How many different characters are left without these words, rows of the keyboard and numbers. */
function ownIn(plain: string, words: readonly string[]): number {
  const longestFirst = words.toSorted((one, other) => other.length - one.length)
  // Characters that stand for letters are read as these, and as they are.
  const left = [plain, withLetters(plain)].map((text) => {
    const without = longestFirst.reduce((rest, word) => rest.replaceAll(word, ' '), text)
    return new Set(without.replace(/[^\p{L}]/gu, '')).size
  })
  return Math.min(...left)
}

const LOOKS_LIKE: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
}

const withLetters = (text: string): string =>
  text.replace(/[013457@$!]/g, (sign) => LOOKS_LIKE[sign] ?? sign)
