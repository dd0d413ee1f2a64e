import Synchronization

/// What a domain's lock has to tell when it is given back: those who are told run code of their own, which may wait for other threads.
final class NoticeQueue: Sendable {
    private let notices = Mutex<[ChangeNotice]>([])

    func add(_ notice: ChangeNotice) { notices.withLock { $0.append(notice) } }

    /// Sends all, in order; the thread holds no lock.
    func send() {
        let waiting = notices.withLock { notices in
            let waiting = notices
            notices = []
            return waiting
        }
        for notice in waiting { notice.send() }
    }
}
