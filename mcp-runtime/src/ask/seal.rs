//! Sealing what travels through the client between the rounds of a call, `requestState`: the client can neither read it
//! nor change it, nor use it for another call.
//!
//! Spec: 2026-07-28, `basic/patterns/mrtr`.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::aead::{Aad, CHACHA20_POLY1305, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use ring::digest;
use ring::hkdf::{HKDF_SHA256, Prk, Salt};
use ring::rand::{SecureRandom as _, SystemRandom};

/// Names the form of what is sealed, so that another one can follow. A dot is not in the alphabet of base64.
const PREFIX: &str = "v1.";

/// Keeps our keys apart from those that somebody derives from the same secret for something else.
const LABEL: &[u8] = b"mcp-runtime requestState v1";

/// Random bytes in front of each sealed text.
const SALT_BYTES: usize = 32;

/// A secret that the states of calls are sealed with while they travel through the client.
///
/// By default each process makes one for itself. Servers that share a key can each continue what another began, and
/// calls survive a restart.
///
/// # Examples
/// ```
/// use mcp_runtime::StateKey;
///
/// # let secret = [7; 32];
/// // 32 random bytes, such as from `openssl rand 32`, out of the place where secrets are kept.
/// let key = StateKey::new(secret);
/// assert_eq!(format!("{key:?}"), "StateKey(..)");
/// ```
#[derive(Clone)]
pub struct StateKey([u8; 32]);

impl StateKey {
    /// A key of 32 bytes that nobody can guess: random ones, and not a password.
    #[must_use]
    pub const fn new(secret: [u8; 32]) -> Self {
        Self(secret)
    }
}

impl std::fmt::Debug for StateKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("StateKey(..)")
    }
}

/// The operating system gave no random bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NoRandomness;

impl std::fmt::Display for NoRandomness {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the operating system gave no random bytes")
    }
}

impl std::error::Error for NoRandomness {}

/// Seals states and opens them again.
///
/// Each text is sealed with ChaCha20-Poly1305 under a key of its own, which HKDF derives from the secret and 256 random
/// bits. Random nonces under one key for all, of 96 bits as the algorithm has them, would begin to repeat after some
/// billions of texts, which servers that share a key for years could reach.
pub(crate) struct Sealer {
    /// Seals, and opens first.
    newest: Prk,
    /// Only open.
    older: Vec<Prk>,
}

impl Sealer {
    /// With a key that this process alone has.
    ///
    /// # Errors
    /// If the operating system gives no random bytes.
    pub(crate) fn random() -> Result<Self, NoRandomness> {
        Ok(Self { newest: secret(&StateKey(random_bytes()?)), older: Vec::new() })
    }

    /// With given keys: the first seals, and all open, so that a key can be replaced while states are under way. `None`
    /// without any.
    pub(crate) fn with_keys(keys: impl IntoIterator<Item = StateKey>) -> Option<Self> {
        let mut secrets = keys.into_iter().map(|key| secret(&key));
        Some(Self { newest: secrets.next()?, older: secrets.collect() })
    }

    /// Seals a text for what it is bound to: it opens with the same only.
    ///
    /// # Errors
    /// If the operating system gives no random bytes.
    pub(crate) fn seal(&self, plain: &[u8], bound_to: &[u8]) -> Result<String, NoRandomness> {
        let salt: [u8; SALT_BYTES] = random_bytes()?;
        let mut text = plain.to_vec();
        // Fails for texts of many gigabytes only, which are far beyond what may be remembered.
        let tag = message_key(&self.newest, &salt)
            .and_then(|key| key.seal_in_place_separate_tag(only_nonce(), Aad::from(bound_to), &mut text).ok())
            .ok_or(NoRandomness)?;
        let sealed = [salt.as_slice(), &text, tag.as_ref()].concat();
        Ok(format!("{PREFIX}{}", URL_SAFE_NO_PAD.encode(sealed)))
    }

    /// Opens what was sealed with one of the keys for the same thing; `None` for anything else.
    pub(crate) fn open(&self, sealed: &str, bound_to: &[u8]) -> Option<Vec<u8>> {
        let sealed = URL_SAFE_NO_PAD.decode(sealed.strip_prefix(PREFIX)?).ok()?;
        let (salt, text) = sealed.split_first_chunk::<SALT_BYTES>()?;
        std::iter::once(&self.newest).chain(&self.older).find_map(|secret| {
            let mut text = text.to_vec();
            let plain = message_key(secret, salt)?.open_in_place(only_nonce(), Aad::from(bound_to), &mut text).ok()?;
            Some(plain.to_vec())
        })
    }
}

impl std::fmt::Debug for Sealer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Sealer(..)")
    }
}

/// A digest (SHA-256) of several parts, for [`Sealer::seal`] to bind to. The length of each part is in it, so that what
/// moves from one part into the next is another digest.
pub(crate) fn digest(parts: &[&[u8]]) -> [u8; 32] {
    let mut context = digest::Context::new(&digest::SHA256);
    for part in parts {
        context.update(&(part.len() as u64).to_be_bytes());
        context.update(part);
    }
    // A digest of SHA-256 has 32 bytes.
    context.finish().as_ref().try_into().unwrap_or_default()
}

fn random_bytes<const N: usize>() -> Result<[u8; N], NoRandomness> {
    let mut bytes = [0; N];
    SystemRandom::new().fill(&mut bytes).map_err(|_| NoRandomness)?;
    Ok(bytes)
}

fn secret(key: &StateKey) -> Prk {
    Salt::new(HKDF_SHA256, LABEL).extract(&key.0)
}

/// The key of one text. Deriving fails for keys that are much longer only.
fn message_key(secret: &Prk, salt: &[u8; SALT_BYTES]) -> Option<LessSafeKey> {
    let info = [salt.as_slice()];
    let key = secret.expand(&info, &CHACHA20_POLY1305).ok()?;
    Some(LessSafeKey::new(UnboundKey::from(key)))
}

/// A key seals one text, so that its nonce may be always the same.
fn only_nonce() -> Nonce {
    Nonce::assume_unique_for_key([0; NONCE_LEN])
}

#[cfg(test)]
mod tests {
    use base64::Engine as _;
    use base64::engine::general_purpose::URL_SAFE_NO_PAD;

    use super::{PREFIX, Sealer, StateKey, digest};

    const PLAIN: &[u8] = br#"{"name":"Ada"}"#;

    fn sealer(keys: &[u8]) -> Sealer {
        Sealer::with_keys(keys.iter().map(|byte| StateKey::new([*byte; 32]))).unwrap()
    }

    #[test]
    fn opens_what_it_has_sealed() {
        let sealer = Sealer::random().unwrap();
        for plain in [PLAIN, b"", &[0; 10_000]] {
            let text = sealer.seal(plain, b"call").unwrap();
            assert!(text.starts_with("v1."));
            assert_eq!(sealer.open(&text, b"call").as_deref(), Some(plain));
        }
    }

    #[test]
    fn opens_what_an_earlier_release_has_sealed() {
        let text = "v1.AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh9umuZAlVM07mM7OJZH1aceVjClE7COYnRf_nm7Fnw";
        assert_eq!(sealer(&[1]).open(text, b"call").as_deref(), Some(PLAIN));
    }

    #[test]
    fn shows_nothing_of_the_text() {
        let text = sealer(&[1]).seal(PLAIN, b"call").unwrap();
        let bytes = URL_SAFE_NO_PAD.decode(text.strip_prefix(PREFIX).unwrap()).unwrap();
        assert!(!bytes.windows(3).any(|window| window == b"Ada"));
    }

    #[test]
    fn seals_a_text_in_another_way_each_time() {
        let sealer = sealer(&[1]);
        assert_ne!(sealer.seal(PLAIN, b"call").unwrap(), sealer.seal(PLAIN, b"call").unwrap());
    }

    #[test]
    fn refuses_what_was_changed() {
        let sealer = sealer(&[1]);
        let text = sealer.seal(PLAIN, b"call").unwrap();
        let bytes = URL_SAFE_NO_PAD.decode(text.strip_prefix(PREFIX).unwrap()).unwrap();
        for bit in 0..bytes.len() * 8 {
            let mut bytes = bytes.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            let changed = format!("{PREFIX}{}", URL_SAFE_NO_PAD.encode(bytes));
            assert_eq!(sealer.open(&changed, b"call"), None, "bit {bit}");
        }
        for at in 0..text.len() {
            let mut changed = text.clone().into_bytes();
            changed[at] = if changed[at] == b'A' { b'B' } else { b'A' };
            assert_eq!(sealer.open(&String::from_utf8(changed).unwrap(), b"call"), None, "character {at}");
        }
    }

    #[test]
    fn refuses_what_was_cut_or_lengthened() {
        let sealer = sealer(&[1]);
        let text = sealer.seal(PLAIN, b"call").unwrap();
        for end in 0..text.len() {
            assert_eq!(sealer.open(&text[..end], b"call"), None, "{end} bytes");
        }
        for changed in [format!("{text}A"), format!("{text}AAAA"), format!("{text}="), format!(" {text}")] {
            assert_eq!(sealer.open(&changed, b"call"), None, "{changed}");
        }
    }

    #[test]
    fn refuses_what_it_has_never_sealed() {
        for text in ["", "v1", "v1.", "v1.!!!", "v2.AAAA", "v1.AAAA", "v1.Zm9vYmFy+/==", "état", "v1.\u{0}"] {
            assert_eq!(sealer(&[1]).open(text, b"call"), None, "{text}");
        }
        let nothing_inside = format!("{PREFIX}{}", URL_SAFE_NO_PAD.encode([0; 32]));
        assert_eq!(sealer(&[1]).open(&nothing_inside, b"call"), None);
    }

    #[test]
    fn refuses_what_is_bound_to_something_else() {
        let sealer = sealer(&[1]);
        let text = sealer.seal(PLAIN, b"call").unwrap();
        for other in [b"".as_slice(), b"Call", b"calls"] {
            assert_eq!(sealer.open(&text, other), None);
        }
    }

    #[test]
    fn refuses_the_key_of_somebody_else() {
        let text = sealer(&[1]).seal(PLAIN, b"call").unwrap();
        assert_eq!(sealer(&[2, 3]).open(&text, b"call"), None);
        assert_eq!(Sealer::random().unwrap().open(&text, b"call"), None);
    }

    #[test]
    fn opens_with_older_keys_and_seals_with_the_newest() {
        let (before, during, after) = (sealer(&[1]), sealer(&[2, 1]), sealer(&[2]));
        let old = before.seal(PLAIN, b"call").unwrap();
        assert_eq!(during.open(&old, b"call").as_deref(), Some(PLAIN));
        assert_eq!(after.open(&old, b"call"), None);
        let new = during.seal(PLAIN, b"call").unwrap();
        assert_eq!(after.open(&new, b"call").as_deref(), Some(PLAIN));
        assert_eq!(before.open(&new, b"call"), None);
    }

    #[test]
    fn needs_a_key() {
        assert!(Sealer::with_keys([]).is_none());
    }

    #[test]
    fn shows_nothing_of_a_key() {
        assert_eq!(format!("{:?}", StateKey::new([171; 32])), "StateKey(..)");
        assert_eq!(format!("{:?}", sealer(&[171])), "Sealer(..)");
    }

    #[test]
    fn digests_each_division_into_parts_differently() {
        let all = [
            digest(&[]),
            digest(&[b""]),
            digest(&[b"", b""]),
            digest(&[b"ab"]),
            digest(&[b"a", b"b"]),
            digest(&[b"ab", b""]),
            digest(&[b"", b"ab"]),
        ];
        for (index, one) in all.iter().enumerate() {
            assert!(!all[..index].contains(one), "{index}");
        }
        assert_eq!(digest(&[b"a", b"b"]), digest(&[b"a", b"b"]));
    }
}
