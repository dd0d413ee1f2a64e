import Foundation

extension ObjectStore {
    /// The clock that saves take their dates from, for properties with ``AttributeOption/creationDate`` and ``AttributeOption/modificationDate``; the system's unless another is set.
    ///
    /// ```swift
    /// store.clock = { Date(timeIntervalSince1970: 1_700_000_000) }        // in a test
    /// ```
    ///
    /// It is asked once for each transaction and each save of a context, whose objects all get one date. It must not use the store.
    public var clock: @Sendable () -> Date {
        get { core.clock.tell }
        set { core.clock.tell = newValue }
    }
}
