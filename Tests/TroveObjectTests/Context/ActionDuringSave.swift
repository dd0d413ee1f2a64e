import Dispatch
import Foundation
import Synchronization
import Trove

/// Does something on another thread while a save stores its first change.
final class ActionDuringSave: StoreDelegate {
    private let action: Mutex<(@Sendable () -> Void)?>

    init(_ action: @escaping @Sendable () -> Void) { self.action = Mutex(action) }

    func willChange(_ change: ObjectChange) throws {
        guard let action = action.withLock({ $0.take() }) else { return }
        let done = DispatchSemaphore(value: 0)
        Thread {
            action()
            done.signal()
        }.start()
        done.wait()
    }
}
