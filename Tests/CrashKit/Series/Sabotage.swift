import ArgumentParser

/// What the crash loop does wrong on purpose, so that a test sees it find that.
package enum Sabotage: String, Sendable, ExpressibleByArgument {
    /// Syncs are taken for done that were not.
    case syncs
    /// Transactions are acknowledged before they are committed.
    case acknowledgements
    /// The writing process fails at once, wherever it was to be killed.
    case writing
}
