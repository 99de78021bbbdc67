//! Credits as a spending guard: what turn time costs, and whether a new turn may begin. Money that was spent is a
//! sum of whole micro-cents; nothing here knows where it is kept.

use std::time::Duration;

use crate::settings::Credits;

/// A millionth of a cent: an hour's price in cents divides into milliseconds without drift that anybody notices.
pub const MICRO: u64 = 1_000_000;
const HOUR_MS: u128 = 3_600_000;

/// What a span of turn time costs, in micro-cents; nothing where nothing is metered.
pub fn cost(credits: &Credits, span: Duration) -> u64 {
    if !credits.enabled {
        return 0;
    }
    let hourly = u128::from(credits.turn_hour_cents) * u128::from(MICRO);
    let micro = hourly.saturating_mul(span.as_millis()) / HOUR_MS;
    u64::try_from(micro).unwrap_or(u64::MAX)
}

/// The balance is spent: no new turn begins until it is raised.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the balance is spent ({} of {balance} cents); raise `credits.balance_cents` in the configuration",
    .spent / MICRO
)]
pub struct Spent {
    /// What was spent, in micro-cents.
    pub spent: u64,
    /// What might be, in cents.
    pub balance: u64,
}

/// Whether a new turn may begin after `spent` micro-cents.
///
/// # Errors
/// When nothing is left.
pub fn may_spend(credits: &Credits, spent: u64) -> Result<(), Spent> {
    let balance = credits.balance_cents;
    if credits.enabled && spent >= balance.saturating_mul(MICRO) {
        Err(Spent { spent, balance })
    } else {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn credits(turn_hour_cents: u64, balance_cents: u64) -> Credits {
        Credits {
            enabled: true,
            turn_hour_cents,
            balance_cents,
        }
    }

    #[test]
    fn turn_time_has_its_price_and_nothing_else() {
        for (price, span, micro) in [
            (36, Duration::from_secs(100), MICRO),
            (3_600, Duration::from_millis(1), 1_000_000 / 1_000),
            (1, Duration::from_millis(1), 0),
            (1, Duration::from_millis(4), 1),
            (10, Duration::ZERO, 0),
            (0, Duration::from_secs(3600), 0),
            (u64::MAX, Duration::MAX, u64::MAX),
        ] {
            assert_eq!(cost(&credits(price, 0), span), micro, "{price} {span:?}");
        }
        let off = Credits {
            enabled: false,
            ..credits(36, 0)
        };
        assert_eq!(cost(&off, Duration::from_secs(100)), 0);
        assert_eq!(may_spend(&off, u64::MAX), Ok(()));
    }

    #[test]
    fn at_zero_nothing_begins() {
        let credits = credits(36, 2);
        assert_eq!(may_spend(&credits, 2 * MICRO - 1), Ok(()));
        for spent in [2 * MICRO, 2 * MICRO + 1, u64::MAX] {
            assert_eq!(may_spend(&credits, spent), Err(Spent { spent, balance: 2 }));
        }
        let told = may_spend(&credits, 2_500_000).unwrap_err().to_string();
        assert!(
            told.starts_with("the balance is spent (2 of 2 cents)"),
            "{told}"
        );
        assert!(may_spend(&super::tests::credits(36, 0), 0).is_err());
        assert_eq!(may_spend(&super::tests::credits(1, u64::MAX), 5), Ok(()));
    }
}
