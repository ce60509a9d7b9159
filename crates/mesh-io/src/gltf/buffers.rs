//! The bytes that a glTF file refers to: its own binary chunk, `data:` addresses, files in its folder.

use super::document::Buffer;
use super::entry_error;
use crate::error::{MeshFileError, MeshFileErrorKind as Kind, Result};
use crate::text::quote;
use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use freiraum_files as files;
use freiraum_files::{LARGEST_MESH, Reach};
use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

/// Loads each buffer when it is first needed, and each file once.
pub(super) struct Buffers<'a> {
    binary: Option<&'a [u8]>,
    folder: Option<&'a Path>,
    loaded: BTreeMap<Source, Vec<u8>>,
    /// Bytes in memory: the file and everything loaded for it.
    pub(super) size: usize,
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Source {
    Buffer(u32),
    File(PathBuf),
}

impl<'a> Buffers<'a> {
    pub(super) fn new(binary: Option<&'a [u8]>, folder: Option<&'a Path>, file_size: usize) -> Buffers<'a> {
        Buffers { binary, folder, loaded: BTreeMap::new(), size: file_size }
    }

    /// The bytes of buffer number `index`, exactly as many as it claims.
    pub(super) fn get(&mut self, index: u32, buffer: &Buffer<'_>) -> Result<&[u8]> {
        let entry = format!("buffers[{index}]");
        let claimed = buffer.byte_length;
        let too_short = |present: usize| {
            let found = format!("the buffer claims {claimed} bytes, but its data has {present}");
            entry_error(Kind::Truncated, &format!("{entry}.byteLength"), found, "as many bytes as claimed")
                .help("the file is cut off or damaged; copy or export it again")
        };
        let Some(uri) = &buffer.uri else {
            let binary = self.binary.filter(|_| index == 0).ok_or_else(|| {
                entry_error(
                    Kind::Syntax,
                    &entry,
                    "the buffer has neither a `uri` nor a binary chunk",
                    "one of both",
                )
            })?;
            let length = usize::try_from(claimed).unwrap_or(usize::MAX);
            return binary.get(..length).ok_or_else(|| too_short(binary.len()));
        };
        let entry = format!("{entry}.uri");
        let source = match uri.strip_prefix("data:") {
            Some(_) => Source::Buffer(index),
            None => Source::File(self.locate(uri, &entry)?),
        };
        if !self.loaded.contains_key(&source) {
            let bytes = match &source {
                Source::Buffer(_) => inline(uri, &entry)?,
                Source::File(path) => files::read(path, LARGEST_MESH).map_err(|e| {
                    let found = format!("cannot read {}: {e}", quote(uri.as_bytes()));
                    entry_error(Kind::Io, &entry, found, "")
                })?,
            };
            self.size = self.size.saturating_add(bytes.len());
            self.loaded.insert(source.clone(), bytes);
        }
        let bytes = &self.loaded[&source];
        let length = usize::try_from(claimed).unwrap_or(usize::MAX);
        bytes.get(..length).ok_or_else(|| too_short(bytes.len()))
    }

    /// The file that a relative address names, if it lies in the folder of the glTF file or below.
    fn locate(&self, uri: &str, entry: &str) -> Result<PathBuf> {
        let refuse = |found: String| {
            Err(entry_error(Kind::Unsupported, entry, found, "a `data:` address or a file beside this one")
                .help("put the file into the same folder, or export as GLB"))
        };
        let shown = quote(uri.as_bytes());
        let name = percent_decoded(uri);
        let has_scheme = name.find(':').is_some();
        let relative = Path::new(&name);
        let is_inside = relative.components().all(|c| matches!(c, Component::Normal(_) | Component::CurDir));
        if has_scheme || !is_inside || name.contains(['\\', '\0']) || name.is_empty() {
            return refuse(format!("the buffer lies at {shown}, which is not read"));
        }
        let Some(folder) = self.folder else {
            return refuse(format!(
                "the buffer lies in the file {shown}, but only the bytes of the glTF file were given"
            ));
        };
        let io = |e: std::io::Error| entry_error(Kind::Io, entry, format!("cannot read {shown}: {e}"), "");
        // Links must not lead out of the folder either, and one that leads nowhere could lead anywhere.
        let folder = folder.canonicalize().map_err(io)?;
        let path = folder.join(relative);
        if !Reach::within([folder]).contains(&path) {
            return refuse(format!("the buffer {shown} is a link out of the folder"));
        }
        let path = path.canonicalize().map_err(io)?;
        if let Some(what) = files::special(&path) {
            return refuse(format!("the buffer {shown} is {what}, not a file"));
        }
        Ok(path)
    }
}

/// The bytes in a `data:` address.
fn inline(uri: &str, entry: &str) -> Result<Vec<u8>> {
    let wrong = |found: String| -> MeshFileError {
        entry_error(Kind::Syntax, entry, found, "`data:application/octet-stream;base64,` and base64 text")
    };
    let (head, data) =
        uri.split_once(',').ok_or_else(|| wrong("the `data:` address has no comma".to_owned()))?;
    if !head.ends_with(";base64") {
        return Err(wrong("the `data:` address is not in base64".to_owned()));
    }
    decoded(data).map_err(|offset| wrong(format!("character {} of the base64 text is wrong", offset + 1)))
}

/// Base64 as files have it: padding may be missing, and what is left over of the last character may be anything.
const LENIENT: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::RequireNone)
        .with_decode_allow_trailing_bits(true),
);

/// The bytes of a base64 text, or the offset of the first character that does not belong there.
fn decoded(text: &str) -> std::result::Result<Vec<u8>, usize> {
    let digits = text.trim_end_matches('=');
    let is_digit = |c: &u8| c.is_ascii_alphanumeric() || b"+/".contains(c);
    let first_wrong = || digits.bytes().position(|c| !is_digit(&c)).unwrap_or(digits.len());
    let bytes = LENIENT.decode(digits).map_err(|_| first_wrong())?;
    if text.len() - digits.len() > 2 { Err(digits.len()) } else { Ok(bytes) }
}

/// `%20` and its like replaced by the characters they stand for.
pub(super) fn percent_decoded(uri: &str) -> String {
    let mut out = Vec::with_capacity(uri.len());
    let mut rest = uri.as_bytes();
    while let Some((&byte, tail)) = rest.split_first() {
        let hex = tail.get(..2).filter(|_| byte == b'%').and_then(|h| std::str::from_utf8(h).ok());
        match hex.and_then(|h| u8::from_str_radix(h, 16).ok()) {
            Some(decoded) => {
                out.push(decoded);
                rest = &tail[2..];
            }
            None => {
                out.push(byte);
                rest = tail;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_texts() {
        for (bytes, text) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ] {
            assert_eq!(decoded(text).unwrap(), bytes.as_bytes());
            assert_eq!(decoded(text.trim_end_matches('=')).unwrap(), bytes.as_bytes());
        }
    }

    #[test]
    fn all_bytes_and_wrong_characters() {
        let bytes: Vec<u8> = (0..=255).collect();
        let text = base64::engine::general_purpose::STANDARD.encode(&bytes);
        assert_eq!(decoded(&text).unwrap(), bytes);
        assert_eq!(decoded("Zm9v Zm9v"), Err(4));
        assert_eq!(decoded("Z"), Err(1));
        assert_eq!(decoded("Zm=9"), Err(2));
        assert_eq!(decoded("Z==="), Err(1));
        assert_eq!(decoded("Zm9vYg==="), Err(6));
        assert_eq!(decoded("Z*m9v"), Err(1));
        assert_eq!(decoded("Zm\u{e4}v"), Err(2));
        // Bits that are left over may be set.
        assert_eq!(decoded("Zh"), Ok(vec![b'f']));
    }
}
