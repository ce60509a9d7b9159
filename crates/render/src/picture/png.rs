//! Pictures as PNG files.

use super::Picture;

impl Picture {
    /// The bytes of a PNG file.
    pub fn png(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, self.size[0] as u32, self.size[1] as u32);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_compression(png::Compression::Balanced);
        // Neither can fail: the size is not zero, all pixels are there, and memory takes what it gets.
        let mut writer = encoder.write_header().expect("a picture has pixels");
        writer.write_image_data(&self.pixels).expect("a picture has all its pixels");
        writer.finish().expect("nothing is missing");
        bytes
    }
}
