import Dispatch

extension Duration {
    /// The duration for Dispatch, in nanoseconds; over 146 years means never.
    package var dispatchInterval: DispatchTimeInterval {
        let (seconds, attoseconds) = components
        let (nanoseconds, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        guard !overflow, nanoseconds < Int64.max / 2 else { return .never }
        return .nanoseconds(Int(nanoseconds + attoseconds / 1_000_000_000))
    }
}
