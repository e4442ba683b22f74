//! How games come about: which challenges are accepted, and how the bot looks for games by itself.

use crate::game::Variant;
use crate::setting::{Field, Kind, Value};
use crate::{choices, settings};

/// Who plays against the bot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opponent {
    /// A program.
    Bot,
    /// A person.
    Human,
}
choices!(Opponent { Bot => "bot", Human => "human" });

/// Whether a game counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// It does not.
    Casual,
    /// It does.
    Rated,
}
choices!(Mode { Casual => "casual", Rated => "rated" });

/// A way to find an opponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// Accept somebody's open seek.
    Accept,
    /// Challenge somebody who is online.
    Challenge,
    /// Open a seek.
    Seek,
}
choices!(Way { Accept => "accept", Challenge => "challenge", Seek => "seek" });

const VARIANTS: &[&str] = &[Variant::Standard.as_str(), Variant::Blitz.as_str()];

impl Field for Variant {
    fn to_value(&self) -> Value {
        Value::Text(self.as_str().to_owned())
    }
    fn from_value(value: Value) -> Self {
        let word = String::from_value(value).parse();
        word.expect("the table allows only known words")
    }
}

/// `[challenges]`: which challenges are accepted. All the others are declined with a reason.
#[derive(Clone, Debug)]
pub struct ChallengeConfig {
    /// Kinds of players.
    pub opponents: Vec<Opponent>,
    /// Names or identifiers of the only players to play, unless it is empty.
    pub allow: Vec<String>,
    /// Names or identifiers of players not to play.
    pub block: Vec<String>,
    /// Lowest rating.
    pub rating_min: u32,
    /// Highest rating.
    pub rating_max: u32,
    /// Variants.
    pub variants: Vec<Variant>,
    /// Rated games, casual ones, or both.
    pub modes: Vec<Mode>,
    /// Shortest time at the start.
    pub initial_min_s: u64,
    /// Longest time at the start.
    pub initial_max_s: u64,
    /// Smallest increment.
    pub increment_min_s: u64,
    /// Largest increment.
    pub increment_max_s: u64,
    /// Places that bots do not get.
    pub reserved_for_humans: usize,
    /// Most games with one opponent at once.
    pub games_per_opponent: usize,
    /// Most games with one opponent within `recent_h`; 0 for any number.
    pub recent_max: usize,
    /// Hours that `recent_max` looks back.
    pub recent_h: u64,
}
impl Default for ChallengeConfig {
    fn default() -> Self {
        Self {
            opponents: vec![Opponent::Bot, Opponent::Human],
            allow: Vec::new(),
            block: Vec::new(),
            rating_min: 0,
            rating_max: 10_000,
            variants: vec![Variant::Standard, Variant::Blitz],
            modes: vec![Mode::Casual, Mode::Rated],
            initial_min_s: 5,
            initial_max_s: 7_200,
            increment_min_s: 0,
            increment_max_s: 60,
            reserved_for_humans: 0,
            games_per_opponent: 64,
            recent_max: 0,
            recent_h: 24,
        }
    }
}
settings!(ChallengeConfig {
    opponents: Kind::List(Some(Opponent::WORDS)), "Whose challenges are accepted. An empty list accepts none.";
    allow: Kind::List(None), "Names or ids of the only players whose challenges are accepted. Empty: everybody's.";
    block: Kind::List(None), "Names or ids of players whose challenges are declined.";
    rating_min: Kind::Int { min: 0, max: 10_000 }, "Least rating of an opponent. Players without a rating are not held to it.";
    rating_max: Kind::Int { min: 0, max: 10_000 }, "Greatest rating of an opponent.";
    variants: Kind::List(Some(VARIANTS)), "Variants that are accepted.";
    modes: Kind::List(Some(Mode::WORDS)), "Whether casual games, rated games or both are accepted.";
    initial_min_s: Kind::Int { min: 0, max: 604_800 }, "Least seconds on the clock at the start.";
    initial_max_s: Kind::Int { min: 1, max: 604_800 }, "Most seconds on the clock at the start.";
    increment_min_s: Kind::Int { min: 0, max: 3_600 }, "Least seconds that a turn gives back.";
    increment_max_s: Kind::Int { min: 0, max: 3_600 }, "Most seconds that a turn may give back.";
    reserved_for_humans: Kind::Int { min: 0, max: 64 }, "Of the games_max places in [play], so many are never given to bots.";
    games_per_opponent: Kind::Int { min: 1, max: 64 }, "Most games with one opponent at once.";
    recent_max: Kind::Int { min: 0, max: 10_000 }, "Most games with one opponent that began within recent_h, 0 for any number. Counted since the bot was started.";
    recent_h: Kind::Int { min: 1, max: 720 }, "Hours that recent_max looks back.";
});

/// `[matchmaking]`: how the bot looks for games when it has none.
#[derive(Clone, Debug)]
pub struct MatchmakingConfig {
    /// Whether it does.
    pub enabled: bool,
    /// What it tries, in the fixed order accept, challenge, seek.
    pub ways: Vec<Way>,
    /// How long it has no game before it looks for one.
    pub idle_s: u64,
    /// Least time between two attempts.
    pub interval_s: u64,
    /// Most attempts in 24 hours.
    pub daily_max: usize,
    /// How long an opponent who has declined is left alone.
    pub declined_h: u64,
    /// Kinds of players.
    pub opponents: Vec<Opponent>,
    /// Lowest rating.
    pub rating_min: u32,
    /// Highest rating.
    pub rating_max: u32,
    /// Variant of the games offered.
    pub variant: Variant,
    /// Whether they count.
    pub rated: bool,
    /// Their time at the start.
    pub initial_s: u64,
    /// What a turn gives back in them.
    pub increment_s: u64,
}
impl Default for MatchmakingConfig {
    fn default() -> Self {
        Self {
            enabled: false,
            ways: vec![Way::Accept, Way::Challenge, Way::Seek],
            idle_s: 60,
            interval_s: 120,
            daily_max: 100,
            declined_h: 24,
            opponents: vec![Opponent::Bot],
            rating_min: 0,
            rating_max: 10_000,
            variant: Variant::Standard,
            rated: false,
            initial_s: 300,
            increment_s: 3,
        }
    }
}
settings!(MatchmakingConfig {
    enabled: Kind::Bool, "Whether the bot looks for games by itself.";
    ways: Kind::List(Some(Way::WORDS)), "How: \"accept\" an open seek that [challenges] allows, \"challenge\" somebody who is online, or open a \"seek\" for a minute. They are tried in this order until one succeeds.";
    idle_s: Kind::Int { min: 0, max: 86_400 }, "Seconds without a game before it begins to look.";
    interval_s: Kind::Int { min: 30, max: 86_400 }, "Least seconds between two attempts.";
    daily_max: Kind::Int { min: 1, max: 10_000 }, "Most attempts in 24 hours.";
    declined_h: Kind::Int { min: 1, max: 720 }, "Hours that somebody who has declined is not challenged again; one who was only busy or did not answer, an hour.";
    opponents: Kind::List(Some(Opponent::WORDS)), "Who is challenged and whose seeks are accepted.";
    rating_min: Kind::Int { min: 0, max: 10_000 }, "Least rating of those who are challenged.";
    rating_max: Kind::Int { min: 0, max: 10_000 }, "Greatest rating of those who are challenged.";
    variant: Kind::Choice(VARIANTS), "Variant of the games offered.";
    rated: Kind::Bool, "Whether the games offered are rated.";
    initial_s: Kind::Int { min: 1, max: 86_400 }, "Seconds on the clock at the start of the games offered.";
    increment_s: Kind::Int { min: 0, max: 3_600 }, "Seconds that a turn gives back in them.";
});
