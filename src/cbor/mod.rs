//! CBOR in the profile that DreamDB hashes: definite lengths, no floats, text keys.
//!
//! [`reader`] pulls heads and bodies out of borrowed bytes, without allocation; [`value`] holds a decoded tree where
//! the order and repetition of keys matter (registry, schema, item types), and `record` reads maps with known keys
//! out of it; [`writer`] emits the one canonical form.
//! Whether bytes *are* canonical is asked where a byte identity is at stake, by encoding again and comparing; the
//! reader itself accepts any key order and any width of an integer, as data that exist on disk require.
//!
//! What a map means does not belong here.

pub mod reader;
mod record;
pub mod value;
pub mod writer;

pub use reader::{Head, Reader};
pub(crate) use record::Record;
pub use value::Value;
pub use writer::Writer;
