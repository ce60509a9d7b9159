//! Files of worlds: configurations, cities, balls and tables of lasers. Any text is one of them or a list of problems, with places in the text.
#![cfg_attr(feature = "for_libfuzzer", no_main)]

use freiraum_formats::scene::SceneErrors;
use freiraum_formats::world::{Balls, BeamTable, City, Configuration};

fn judge<T>(text: &str, found: Result<T, SceneErrors>) {
    if let Err(errors) = found {
        assert!(!errors.problems().is_empty() && !errors.render(false).is_empty());
        for problem in errors.problems() {
            assert!(problem.place.start <= problem.place.end && problem.place.end <= text.len());
        }
    }
}

freiraum_fuzz::target!(|text: &str| {
    judge(text, Configuration::parse("input", text));
    judge(text, City::parse("input", text));
    judge(text, Balls::parse("input", text));
    judge(text, BeamTable::parse("input", text));
});
