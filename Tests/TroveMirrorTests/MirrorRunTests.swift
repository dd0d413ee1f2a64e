import Foundation
import Synchronization
import TestSupport
import Testing
import Trove
import TroveBackendKit

@testable import TroveMirror

/// Runs: who has the directory, and what asks for a run inside of one.
@Suite struct MirrorRunTests {
    /// Asks for a run after each commit; before the first one it does something else.
    private final class Asking: StoreDelegate {
        private let state = Mutex<(mirror: StoreMirror?, first: (@Sendable () -> Void)?, reports: [MirrorReport])>((nil, nil, []))

        var reports: [MirrorReport] { state.withLock { $0.reports } }

        func begin(_ mirror: StoreMirror?, _ first: (@Sendable () -> Void)? = nil) { state.withLock { ($0.mirror, $0.first) = (mirror, first) } }

        func didCommit(_ changes: [ObjectChange]) {
            let (mirror, first) = state.withLock { state in
                defer { state.first = nil }
                return (state.mirror, state.first)
            }
            first?()
            guard let report = try? mirror?.synchronize() else { return }
            state.withLock { $0.reports.append(report) }
        }
    }

    /// A delegate that synchronizes after commits, also after those of a run.
    @Test(arguments: Engine.allCases) func aRunInsideOfARun(engine: Engine) throws {
        let fixture = try MirrorFixture(engine)
        let delegate = Asking()
        try fixture.store.save([Song(id: 1, title: "a"), Song(id: 2, title: "b"), Song(id: 3, title: "c")])
        try fixture.mirror.synchronize()
        fixture.store.delegate = delegate
        try withExtendedLifetime(delegate) {
            try fixture.edit("Song/1.json", "\"a\"", "\"edited\"")
            let file = fixture.url("Song/2.json")
            delegate.begin(fixture.mirror) { try? Data(#"{"$id": 2, "title": "edited too", "tags": []}"#.utf8).write(to: file) }
            let report = try fixture.mirror.synchronize()
            #expect(report.saved.map(\.id) == ["1", "2"] && report.problems.isEmpty && report.conflicts.isEmpty, "\(report)")
            #expect(delegate.reports.count == 2 && delegate.reports.allSatisfy { $0 == MirrorReport() })
            #expect(try fixture.store.fetch(Song.self).all().map(\.title) == ["edited", "edited too", "c"])
            // After a commit of the program's it is a run of its own.
            try fixture.store.save(Song(id: 3, title: "new"))
            #expect(delegate.reports.count == 3 && delegate.reports.last?.written == ["Song/3.json"])
            delegate.begin(nil)
        }
        #expect(try fixture.mirror.synchronize().isUnchanged)
    }

    /// What a run did is told, also where the one that its commit asked for fails.
    @Test(arguments: Engine.allCases) func theRunInsideOfARunFails(engine: Engine) throws {
        let fixture = try MirrorFixture(engine)
        let delegate = Asking()
        try fixture.store.save((1...12).map { Song(id: $0, title: "a") })
        try fixture.mirror.synchronize()
        fixture.store.delegate = delegate
        try withExtendedLifetime(delegate) {
            try fixture.edit("Song/1.json", "\"a\"", "\"edited\"")
            let files = (2...12).map { fixture.url("Song/\($0).json") }
            delegate.begin(fixture.mirror) { for file in files { try? FileManager.default.removeItem(at: file) } }
            let failure = MirrorError.manyFilesGone(fixture.mirror.directory, objects: 11)
            let report = try fixture.mirror.synchronize()
            #expect(report.saved.map(\.id) == ["1"] && report.problems.map(\.file) == ["."] && report.problems[0].reason.contains("\(failure)"), "\(report)")
            #expect(delegate.reports == [MirrorReport()])
            delegate.begin(nil)
            #expect(throws: failure) { try fixture.mirror.synchronize() }
        }
        #expect(try fixture.store.fetch(Song.self).count() == 12)
    }

    /// Somebody removes the mirror's folder, with the file that is locked.
    @Test(arguments: Engine.allCases) func theLockIsRemoved(engine: Engine) throws {
        let fixture = try MirrorFixture(engine)
        try fixture.store.save(Song(id: 1, title: "a"))
        try fixture.mirror.synchronize()
        try fixture.remove(".trove-mirror")
        var other: StoreMirror? = try StoreMirror(fixture.store, at: fixture.mirror.directory)
        try other?.synchronize()
        try fixture.edit("Song/1.json", "\"a\"", "\"b\"")
        #expect(throws: MirrorError.inUse(fixture.mirror.directory)) { try fixture.mirror.synchronize() }
        #expect(try fixture.store.fetch(Song.self, id: 1)?.title == "a")
        other = nil
        #expect(try fixture.mirror.synchronize().saved.map(\.id) == ["1"])
        #expect(throws: MirrorError.inUse(fixture.mirror.directory)) { try StoreMirror(fixture.store, at: fixture.mirror.directory) }
        // Nobody has it: it takes the directory again.
        try fixture.remove(".trove-mirror")
        #expect(try fixture.mirror.synchronize().problems.isEmpty)
        #expect(throws: MirrorError.inUse(fixture.mirror.directory)) { try StoreMirror(fixture.store, at: fixture.mirror.directory) }
    }
}
