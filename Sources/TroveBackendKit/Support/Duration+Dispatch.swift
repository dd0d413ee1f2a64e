import Dispatch

// A caller's duration may be longer than clocks can count: they trap when it is added to an instant, and so does `components`.

extension Duration {
    /// The duration, but at most a century either way: what an instant can be moved by, and a task can sleep for.
    package var withinACentury: Duration { min(max(self, .zero - Self.century), Self.century) }

    private static var century: Duration { .seconds(100 * 366 * 86_400) }

    /// The duration for Dispatch, in nanoseconds; a century or more means never.
    package var dispatchInterval: DispatchTimeInterval {
        guard self < Self.century else { return .never }
        let (seconds, attoseconds) = withinACentury.components
        return .nanoseconds(Int(seconds * 1_000_000_000 + attoseconds / 1_000_000_000))
    }
}
