import Foundation
import Synchronization

/// What tells the dates of saves: the system's clock, or one that the program gives.
final class StoreClock: Sendable {
    private let held = Mutex<@Sendable () -> Date>({ Date() })

    /// The program's function.
    var tell: @Sendable () -> Date {
        get { held.withLock { $0 } }
        set { held.withLock { $0 = newValue } }
    }

    /// The date now. The function is called outside of the lock: it may take its time.
    var now: Date { tell() }
}
