import Synchronization
import Trove
import TroveStoreTools

/// Tells a browser when the results of a query have changed: at once after a commit of this process, and within the interval of polling after one of another.
final class LivePages: Sendable {
    /// The field of the address that has the digest of what the page shows: what is committed before it listens is told too.
    static let seenField = "seen"

    private let limit: Int
    private let count = Mutex(0)

    init(limit: Int) { self.limit = limit }

    /// - Parameter seen: the digest of what the browser was told last; nil when it has not been told anything, and has what the page's address says.
    func response(_ request: PageRequest, seen: String?) async throws -> HTTPResponse {
        let site = request.site
        let signal = try await site.waiting { try site.store.commitSignal(of: request.required("model")) }
        // What is wrong with the query is said now, not in the stream.
        let (now, look) = try await site.waiting {
            var look = request.site.store.commitLook()
            _ = try look.hasNews()
            return (try Self.digest(request), look)
        }
        let shown = seen ?? request.fields[Self.seenField] ?? now
        guard let place = Place(self) else { throw HTTPRefusal(503, "there are \(limit) live pages already") }
        return HTTPResponse(
            type: "text/event-stream",
            .events { send in
                try await self.tell(request, since: shown, signal, look, send)
                withExtendedLifetime(place) {}
            })
    }

    /// One of the places for live pages, taken until it is let go: also by an answer that nobody waited for.
    private final class Place: Sendable {
        private let pages: LivePages

        init?(_ pages: LivePages) {
            let isFree = pages.count.withLock { count in
                guard count < pages.limit else { return false }
                count += 1
                return true
            }
            guard isFree else { return nil }
            self.pages = pages
        }

        deinit { pages.count.withLock { $0 -= 1 } }
    }

    private func tell(
        _ request: PageRequest, since shown: String, _ signal: CommitSignal, _ look: CommitLook, _ send: @Sendable (String) async throws -> Void
    ) async throws {
        let limits = request.site.limits
        var (last, look) = (shown, look)
        let end = ContinuousClock.now + limits.liveTime
        try await send("retry: 1000\n\n")
        while ContinuousClock.now < end {
            do {
                try await within(limits.pollInterval) { try await signal.next() }
            } catch is TimeExceeded {
                // Nothing was committed here; another program may have.
                let hasNews: Bool
                (hasNews, look) = try await request.site.waiting { [look] in
                    var look = look
                    return (try look.hasNews(), look)
                }
                if !hasNews {
                    try await send(":\n\n")
                    continue
                }
            }
            let now = try await request.site.waiting { try Self.digest(request) }
            // A comment, when there is nothing to say, finds out whether anybody still listens.
            try await send(now == last ? ":\n\n" : "event: change\nid: \(now)\ndata: 1\n\n")
            last = now
        }
    }

    /// What tells one state of the page's results from another.
    private static func digest(_ request: PageRequest) throws -> String {
        try request.store.read { try ObjectResults(ObjectQuery(request, $0), request, $0).digest }
    }
}
