//! The one error type of the crate and the stable codes that are its public names.
//!
//! Every refusal is a value of [`Error`]; its [`code`](Error::code) is what vectors, JavaScript and documentation
//! refer to and never changes meaning. The codes of Spec 0025 are the reference's own class names; structured
//! payloads use the seven names that it prints. What failed to arrive (HTTP, files) is not known here: those codes
//! belong to the TypeScript side.

use crate::sentence::{Part, Said};
use alloc::{borrow::ToOwned, boxed::Box, string::String};
use core::fmt;

/// Shorthand for results of this crate.
pub type Result<T> = core::result::Result<T, Error>;

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident),+ $(,)?) => {
        /// The stable public name of a refusal.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        #[repr(u32)] // A word, like what stands beside it in results.
        pub enum Code { $($(#[$doc])* $name),+ }

        impl Code {
            /// Every code that this crate can produce, in declaration order.
            pub const ALL: &'static [Self] = &[$(Self::$name),+];

            /// The code as text, spelled like the variant.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => stringify!($name)),+ }
            }
        }
    };
}

codes! {
    /// An item-type document is not a CBOR map (0025 §3).
    NotAMap,
    /// An item-type document has a key that is not text (0025 §3).
    NonStringKey,
    /// An item-type document repeats a key (0025 §3).
    DuplicateField,
    /// An item-type document lacks a key of its family (0025 §3, §11).
    MissingField,
    /// An item-type document has a key outside its family's closed set (0025 §3, §11).
    UnknownField,
    /// A value of an item-type document has the wrong CBOR type (0025 §3).
    FieldType,
    /// A value of an item-type document is of the right type but not legal (0025 §3, §11).
    InvalidValue,
    /// The declared dtype is none of the ten of Spec 0025.
    UnsupportedDtype,
    /// Element count or byte length of the declared extents exceeds 64 bits (0025 §6).
    ShapeOverflow,
    /// Track kind and storage do not form one of the three legal pairs (0025 §4.1).
    InvalidKindStorage,
    /// The tag is not one of class `array`, or would exceed 256 bytes (0025 §4).
    InvalidModality,
    /// A dense tag does not have kind, storage, shape, item exactly once in that order (0025 §4).
    InvalidParameters,
    /// dtype, shape or another part of the tag disagrees with the document (0025 §4.2).
    ProjectionMismatch,
    /// The tag's `item` digest is not that of the registered document (0025 §3.1).
    IdentityMismatch,
    /// A text or byte string is not a BLAKE3-256 multihash of 33 bytes (0025 §3.1).
    Multihash,
    /// Bytes are not CBOR of the DreamDB profile, or not canonical where they must be.
    Cbor,
    /// A modality tag is empty.
    EmptyModality,
    /// A modality tag is longer than 256 bytes.
    ModalityTooLong,
    /// A modality tag has two adjacent dots, or one at either end.
    EmptySegment,
    /// A modality tag names a class and nothing after it.
    MissingEncoding,
    /// A segment or parameter key of a modality tag has a character outside `[a-z0-9_]`.
    InvalidSegment,
    /// A parameter value of a modality tag has a character outside `[A-Za-z0-9_]`.
    InvalidParameterValue,
    /// A parameter of a modality tag has an empty key.
    EmptyParameterKey,
    /// No class can be located in a modality tag (0025 §4, §13 B1).
    AmbiguousNamespace,
    /// A namespaced modality tag has fewer than three segments before its class (0025 §4).
    UserDefinedRequiresReverseDns,
    /// A namespaced modality tag uses a built-in class name.
    ReservedClass,
    /// An array tag lacks a known `kind` or `storage`, so no Track kind can be derived (0025 §4, §13 B2).
    UnresolvedModality,
    /// A payload is shorter or longer than its declaration or header says (0025 §6, §11).
    PayloadLength,
    /// A `.npy` header cannot be read (0025 §7).
    InvalidNpyHeader,
    /// A `.npy` header says something else than the declaration (0025 §7).
    CodecHeaderMismatch,
    /// A structured payload has the wrong magic or version (0025 §11).
    PayloadHeader,
    /// A CSR header's shape is not the declared one (0025 §11.2).
    ShapeMismatch,
    /// Row offsets do not start at zero or do not end at the count (0025 §11).
    OffsetTerminal,
    /// Row offsets decrease (0025 §11).
    OffsetOrder,
    /// A CSR column index is not less than the column count (0025 §11.2).
    ColumnBounds,
    /// CSR column indices of a row do not strictly increase (0025 §11.2).
    ColumnOrder,
    /// An array modality has no registry entry (0025 §3.2).
    RegistryEntryMissing,
    /// An array modality has registry entries that differ (0025 §2).
    RegistryEntryAmbiguous,
    /// An array modality's registry entry is not a map (0025 §3.2).
    RegistryEntryNotMap,
    /// An array modality's registry entry has no `item_type` (0025 §3.2).
    RegistryItemTypeMissing,
    /// An array modality's registry entry has `item_type` more than once (0025 §3.2).
    RegistryItemTypeDuplicate,
    /// Two manifests register one array modality with different declarations (0025 §5).
    RegistryConflict,
    /// A part of a manifest has the wrong form: a missing, unknown or wrongly typed key.
    WireOrType,
    /// A manifest's bindings disagree with its registry.
    RegistryAgreement,
    /// Bindings or edges of a manifest are not strictly increasing.
    OrderingOrDuplicate,
    /// A binding's role is neither `base` nor `layer-of:<Track address>`.
    RoleAgreement,
    /// A lineage edge is malformed: two parents, itself, or an end that is no binding.
    EdgeStructure,
    /// A binding is both active and lineage, or a field has two active ones on one timeline.
    BindingSetCollision,
    /// A lineage binding cannot be reached from an active one, or the edges form a circle.
    AcyclicityOrClosure,
    /// The `tracks` container has a form that this reader does not know.
    UnknownTracksForm,
    /// A manifest has no `dreamdb.schema`.
    SchemaMissing,
    /// A field of `dreamdb.schema` is malformed.
    SchemaField,
    /// Schema, registry and binding of an array field do not describe the same type.
    FieldIdentityMismatch,
    /// The fields of a dataset lie on several timelines.
    TimelineConflict,
    /// A schema field has no active binding.
    BindingMissing,
    /// A Track Object lacks a key, has an unknown one, or one of the wrong type.
    TrackField,
    /// A Track Object disagrees with the binding that names it.
    TrackMismatch,
    /// An index entry has too few elements.
    EntryTooShort,
    /// An element of an index entry has the wrong CBOR type.
    EntryType,
    /// An index entry's extent is empty: `t_start` is not less than `t_end`.
    EntryExtent,
    /// An integer of an index entry exceeds its range (0022 §3.3: a pack offset fits in 32 bits).
    IntegerRange,
    /// A page of a Track's index is malformed, or not what the Track or the page above says.
    IndexPage,
    /// Two array Items of one Track have the same anchor.
    RepeatedAnchor,
    /// A packed Item's span ends beyond its pack (0022 §3.4).
    PackSliceOutOfBounds,
    /// The spans of a pack's Items overlap or leave a gap (0022 §3.4).
    PackInvariant,
    /// A pack's length is not the sum of its Items' sizes (0022 §3.4).
    PackLength,
    /// Bytes do not hash to the address that names them.
    HashMismatch,
    /// A chunk's or chunked Item's length is not the one that its ItemManifest declares.
    ChunkLength,
    /// The Track's index has a form that this version does not read.
    UnsupportedIndex,
    /// Tombstones are of an unknown kind, malformed, or not what their parent says.
    Tombstones,
    /// An argument of a call is out of its range.
    InvalidArgument,
}

/// A refusal: a stable [`Code`], a sentence for a person, and what was expected and found.
///
/// It is one pointer wide: results are passed on in almost every line of this crate, refusals are made rarely.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error(Box<Details>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Details {
    code: Code,
    message: String,
    subject: Option<String>,
    bounds: Option<[String; 2]>,
}

impl Error {
    /// A refusal with its sentence.
    #[cold]
    #[inline(never)]
    #[must_use]
    pub fn new(code: Code, message: Said) -> Self {
        Self(Box::new(Details { code, message: message.finished(), subject: None, bounds: None }))
    }

    /// The same refusal, naming the key, field or modality it is about.
    #[cold]
    #[must_use]
    pub fn about(mut self, subject: &str) -> Self {
        self.0.subject = Some(subject.to_owned());
        self
    }

    /// The same refusal, with the expected and the actual value.
    #[must_use]
    pub fn bounds(self, expected: impl Part, actual: impl Part) -> Self {
        self.with_bounds(Said::nothing().with(expected), Said::nothing().with(actual))
    }

    #[cold]
    #[inline(never)]
    fn with_bounds(mut self, expected: Said, actual: Said) -> Self {
        self.0.bounds = Some([expected.parts(), actual.parts()]);
        self
    }

    /// The same refusal, with the place it occurred in put before its sentence.
    #[must_use]
    pub fn within(self, place: impl Part) -> Self {
        self.with_place(Said::nothing().with(place))
    }

    #[cold]
    #[inline(never)]
    fn with_place(mut self, place: Said) -> Self {
        let mut message = place.parts();
        message.push_str(": ");
        message.push_str(&self.0.message);
        self.0.message = message;
        self
    }

    /// The code.
    #[must_use]
    pub const fn code(&self) -> Code {
        self.0.code
    }

    /// The sentence, without the code.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// The key, field or modality that the refusal is about.
    #[must_use]
    pub fn subject(&self) -> Option<&str> {
        self.0.subject.as_deref()
    }

    /// What the rule asked for.
    #[must_use]
    pub fn expected(&self) -> Option<&str> {
        self.0.bounds.as_ref().map(|[expected, _]| expected.as_str())
    }

    /// What was there instead.
    #[must_use]
    pub fn actual(&self) -> Option<&str> {
        self.0.bounds.as_ref().map(|[_, actual]| actual.as_str())
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.0.code.as_str(), self.0.message)
    }
}

impl core::error::Error for Error {}

/// The front of a text that comes from the input, short enough for a message.
pub(crate) fn brief(text: &str) -> String {
    const LONGEST: usize = 64;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => [text.get(..end).unwrap_or_default(), "…"].concat(),
        None => text.to_owned(),
    }
}
