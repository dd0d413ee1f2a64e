import Dispatch

extension Duration {
    /// The duration as SQLite takes it; longer ones than it can take are cut.
    var milliseconds: Int32 {
        let (seconds, attoseconds) = components
        guard seconds < Int64(Int32.max) / 1_000 else { return .max }
        return Int32(max(0, seconds * 1_000 + attoseconds / 1_000_000_000_000_000))
    }

    /// The duration as Dispatch takes it, in whole milliseconds.
    var dispatch: DispatchTimeInterval {
        milliseconds == .max ? .never : .milliseconds(Int(milliseconds))
    }
}
