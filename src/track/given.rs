//! Indexes of entries that no Track Object holds: given as columns, judged and sorted like those of one.
//!
//! For readers without a manifest, who have the entries from elsewhere, and for those who put the entries of pages
//! together.

use super::Index;
use super::entries::{Columns, ContinuousIndex, EventIndex};
use super::fragments::{Form, FragmentIndex, Names};
use crate::error::{Code, Error, Result};
use crate::multihash::{ADDRESS_BYTES, Address};
use crate::sentence::say;
use alloc::vec::Vec;

/// Entries as columns, all of one length; those that a form does not have are empty.
#[derive(Clone, Copy, Debug, Default)]
pub struct Given<'a> {
    /// Anchor of each Item, the first one of its extent.
    pub starts: &'a [u64],
    /// Anchor after the last of each Item; of continuous entries and fragments.
    pub ends: &'a [u64],
    /// Buckets of continuous entries, sizes of fragments.
    pub thirds: &'a [u64],
    /// Addresses, 33 bytes each.
    pub addresses: &'a [u8],
    /// [`Form`] of each fragment.
    pub forms: &'a [u8],
    /// Offset of each fragment in its pack.
    pub offsets: &'a [u32],
}

impl Given<'_> {
    /// The index that these entries are: event entries if they have no ends, fragments if they have forms.
    ///
    /// # Errors
    /// [`Code::InvalidArgument`] for columns of different lengths or an unknown form; [`Code::Multihash`];
    /// [`Code::EntryExtent`]; [`Code::RepeatedAnchor`] of array Items.
    pub fn index(self) -> Result<Index> {
        let count = self.starts.len();
        let (addresses, rest) = self.addresses.as_chunks::<ADDRESS_BYTES>();
        let (is_event, is_media) = (self.ends.is_empty() && self.thirds.is_empty(), !self.forms.is_empty());
        let extent = [self.ends.len(), self.thirds.len()];
        let media = [self.forms.len(), self.offsets.len()];
        let fits = addresses.len() == count
            && rest.is_empty()
            && (extent == [count; 2] || (is_event && !is_media))
            && (media == [count; 2] || (!is_media && self.offsets.is_empty()));
        if !fits || self.forms.iter().any(|form| Form::from_number(*form).is_none()) {
            let message = say!("the columns of index entries have different lengths, or forms that are unknown");
            return Err(Error::new(Code::InvalidArgument, message));
        }
        for (position, address) in addresses.iter().enumerate() {
            Address::from_bytes(address).map_err(|error| error.within(say!("index entry {}", position)))?;
        }
        for (position, (start, end)) in self.starts.iter().zip(self.ends).enumerate() {
            if start >= end {
                let message = say!("index entry {} has the empty extent [{}, {})", position, start, end);
                return Err(Error::new(Code::EntryExtent, message));
            }
        }
        let mut columns = Columns {
            starts: self.starts.to_vec(),
            ends: self.ends.to_vec(),
            thirds: self.thirds.to_vec(),
            addresses: if is_media { Vec::new() } else { addresses.to_vec() },
            names: Names::default(),
            forms: self.forms.to_vec(),
            offsets: self.offsets.to_vec(),
        };
        if is_media {
            for address in addresses {
                columns.names.push(address);
            }
        }
        columns.sort();
        if is_media {
            return Ok(Index::Fragments(FragmentIndex::of(columns)));
        }
        if is_event {
            return EventIndex::of(columns).map(Index::Event);
        }
        ContinuousIndex::of(columns).map(Index::Continuous)
    }
}
