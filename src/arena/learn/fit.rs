//! Fitting weights to examples.

use super::example::{COUNTS, ChoiceExample, Counts, Examples, ValueExample};
use crate::search::{
    Evaluation, MOST_WEIGHT, ROW_CLASSES, STAGES, StopFlag, UNIT, WEIGHTS_OF_STAGE, random_stream,
    shuffle,
};

/// Times that all examples are gone through.
const EPOCHS: i32 = 12;

/// Examples of a step.
const BATCH: usize = 512;

/// What keeps a weight small that the examples do not ask for, in parts of it.
const DECAY: f32 = 1e-5;

/// Weights of a stage: all counts and the constant.
type Weights = [f32; WEIGHTS_OF_STAGE];

/// How good a fit is, on games that it was not fitted to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quality {
    /// Logarithmic loss of the judgement of results; 0.693 knows nothing.
    pub value_loss: f64,
    /// Share of the decisions in which the action with the highest prior was the one tried most.
    pub best_first: f64,
    /// Share in which that one was among the five with the highest priors.
    pub best_in_five: f64,
}

/// Fits weights; `None` if it was stopped.
pub fn fit(examples: &Examples, seed: u64, stop: &StopFlag) -> Option<(Evaluation, Quality)> {
    let mut values = Model::new(STAGES, 0.005);
    values.fit(&examples.values, seed, stop)?;
    let mut priors = Model::new(STAGES + 1, 0.01);
    priors.fit(&examples.choices, seed, stop)?;
    let quality = quality(&values, &priors, examples);
    let value_weights = std::array::from_fn(|stage| values.rounded(stage));
    let prior_weights = std::array::from_fn(|stage| priors.rounded(stage));
    Some((Evaluation::new(&value_weights, &prior_weights), quality))
}

fn quality(values: &Model, priors: &Model, examples: &Examples) -> Quality {
    let losses = examples.values_apart.iter().map(|example| {
        let p = f64::from(example.predicted(&values.stage(example.stage)));
        let result = f64::from(example.result);
        -(result * p.max(1e-6).ln() + (1.0 - result) * (1.0 - p).max(1e-6).ln())
    });
    let ranks = examples.choices_apart.iter().map(|example| {
        let shares = example.predicted(&priors.stage(example.stage));
        let most =
            |one: &usize, other: &usize| example.shares[*one].total_cmp(&example.shares[*other]);
        let best = (0..shares.len()).max_by(most).unwrap_or_default();
        shares.iter().filter(|share| **share > shares[best]).count()
    });
    let below = |limit| {
        let count = ranks.clone().filter(|rank| *rank < limit).count();
        count as f64 / examples.choices_apart.len().max(1) as f64
    };
    Quality {
        value_loss: losses.sum::<f64>() / examples.values_apart.len().max(1) as f64,
        best_first: below(1),
        best_in_five: below(5),
    }
}

/// Something that weights are fitted to by its gradient.
trait Example {
    fn stage(&self) -> usize;

    /// Adds the gradient of the loss.
    fn add_gradient(&self, weights: &Weights, gradient: &mut Weights);
}

/// A count in the size in which it is fitted: those of about the same size are fitted best.
fn scale(index: usize) -> f32 {
    match index {
        0..ROW_CLASSES => 1.0,
        _ => [1.0, 1.0, 0.25, 0.25, 0.1, 0.1, 1.0][index - ROW_CLASSES],
    }
}

fn score(weights: &Weights, counts: &Counts) -> f32 {
    let mut sum = weights[COUNTS];
    for (index, count) in counts.iter().enumerate() {
        sum += weights[index] * scale(index) * f32::from(*count);
    }
    sum
}

/// Leaves out the first count, of rows with nothing on them: as there are always 123 rows in all, it follows from the
/// others, and with a weight of its own all weights could drift together without any effect on the loss.
fn add_counts(gradient: &mut Weights, counts: &Counts, factor: f32) {
    for (index, count) in counts.iter().enumerate().skip(1) {
        gradient[index] += factor * scale(index) * f32::from(*count);
    }
}

impl ValueExample {
    fn predicted(&self, weights: &Weights) -> f32 {
        1.0 / (1.0 + (-score(weights, &self.counts)).exp())
    }
}

/// Logistic regression.
impl Example for ValueExample {
    fn stage(&self) -> usize {
        self.stage
    }

    fn add_gradient(&self, weights: &Weights, gradient: &mut Weights) {
        let error = self.predicted(weights) - self.target;
        add_counts(gradient, &self.counts, error);
        gradient[COUNTS] += error;
    }
}

impl ChoiceExample {
    /// The share of each action: the less an action leaves the opponent, the more.
    fn predicted(&self, weights: &Weights) -> Vec<f32> {
        let mut shares: Vec<f32> = self.actions.iter().map(|a| -score(weights, a)).collect();
        let most = shares.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let mut sum = 0.0;
        for share in &mut shares {
            *share = (*share - most).exp();
            sum += *share;
        }
        shares.iter_mut().for_each(|share| *share /= sum);
        shares
    }
}

/// Multinomial logistic regression.
impl Example for ChoiceExample {
    fn stage(&self) -> usize {
        self.stage
    }

    fn add_gradient(&self, weights: &Weights, gradient: &mut Weights) {
        let predicted = self.predicted(weights);
        for ((counts, share), wanted) in self.actions.iter().zip(predicted).zip(&self.shares) {
            add_counts(gradient, counts, wanted - share);
        }
    }
}

/// Weights for each stage: what all stages share, and what a stage adds.
///
/// The step is Adam (Kingma and Ba, 2015).
struct Model {
    /// The shared weights, and then for each stage its own.
    weights: Vec<Weights>,
    mean: Vec<Weights>,
    square: Vec<Weights>,
    steps: i32,
    rate: f32,
}

impl Model {
    fn new(stages: usize, rate: f32) -> Self {
        let zero = vec![[0.0; WEIGHTS_OF_STAGE]; stages + 1];
        Self {
            weights: zero.clone(),
            mean: zero.clone(),
            square: zero,
            steps: 0,
            rate,
        }
    }

    /// The placement of rings, which comes after all other stages, shares nothing.
    fn shares(stage: usize) -> bool {
        stage < STAGES
    }

    fn stage(&self, stage: usize) -> Weights {
        let shared = if Self::shares(stage) { 1.0 } else { 0.0 };
        std::array::from_fn(|index| {
            shared * self.weights[0][index] + self.weights[stage + 1][index]
        })
    }

    fn rounded(&self, stage: usize) -> [i16; WEIGHTS_OF_STAGE] {
        let weights = self.stage(stage);
        let most = f32::from(MOST_WEIGHT);
        std::array::from_fn(|index| {
            (weights[index] * scale(index) * UNIT as f32)
                .round()
                .clamp(-most, most) as i16
        })
    }

    fn fit<E: Example>(&mut self, examples: &[E], seed: u64, stop: &StopFlag) -> Option<()> {
        let mut order: Vec<usize> = (0..examples.len()).collect();
        let mut random = random_stream(seed, u64::MAX);
        for epoch in 0..EPOCHS {
            shuffle(&mut order, &mut random);
            let rate = self.rate * 0.75_f32.powi(epoch);
            for batch in order.chunks(BATCH) {
                if stop.is_stopped() {
                    return None;
                }
                self.step(batch.iter().map(|index| &examples[*index]), rate);
            }
        }
        Some(())
    }

    fn step<'a, E: Example + 'a>(
        &mut self,
        batch: impl ExactSizeIterator<Item = &'a E>,
        rate: f32,
    ) {
        let stages = self.weights.len() - 1;
        let effective: Vec<Weights> = (0..stages).map(|stage| self.stage(stage)).collect();
        let mut gradients = vec![[0.0; WEIGHTS_OF_STAGE]; stages];
        let count = batch.len() as f32;
        for example in batch {
            let stage = example.stage();
            example.add_gradient(&effective[stage], &mut gradients[stage]);
        }
        let mut shared = [0.0; WEIGHTS_OF_STAGE];
        for gradient in gradients.iter().take(STAGES) {
            for (sum, part) in shared.iter_mut().zip(gradient) {
                *sum += part;
            }
        }
        self.steps += 1;
        self.descend(0, &shared, count, rate);
        for (stage, gradient) in gradients.iter().enumerate() {
            self.descend(stage + 1, gradient, count, rate);
        }
    }

    fn descend(&mut self, row: usize, gradient: &Weights, count: f32, rate: f32) {
        const MEAN: f32 = 0.9;
        const SQUARE: f32 = 0.999;
        let mean_bias = 1.0 - MEAN.powi(self.steps);
        let square_bias = 1.0 - SQUARE.powi(self.steps);
        for (index, gradient) in gradient.iter().enumerate() {
            let weight = &mut self.weights[row][index];
            let slope = gradient / count + DECAY * *weight;
            let mean = &mut self.mean[row][index];
            let square = &mut self.square[row][index];
            *mean = MEAN * *mean + (1.0 - MEAN) * slope;
            *square = SQUARE * *square + (1.0 - SQUARE) * slope * slope;
            *weight -= rate * (*mean / mean_bias) / ((*square / square_bias).sqrt() + 1e-7);
        }
    }
}
