import Dispatch
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Trove

/// Eight threads at a time. These also run under ThreadSanitizer.
@Suite struct LiveThreadTests {
    private static let threads = 8

    @Test func theLockIsExclusiveAndRecursive() {
        final class Guarded: @unchecked Sendable {
            var count = 0
        }
        let domain = ObjectDomain(isObservable: false, recentCount: 0)
        let guarded = Guarded()
        DispatchQueue.concurrentPerform(iterations: Self.threads) { _ in
            for step in 0..<5_000 {
                domain.withLock {
                    guarded.count += 1
                    if step % 3 == 0 { domain.withLock { guarded.count += 1 } }
                }
            }
        }
        #expect(guarded.count == Self.threads * (5_000 + 1_667))
        let isHeld = domain.lock.isHeld
        #expect(!isHeld)
    }

    @Test(arguments: [false, true]) func accessesAreAtomic(inContext: Bool) throws {
        let fixture = try liveGraphFixture(.memory)
        let context = ObjectContext(fixture.store)
        let song = LiveSong(title: "long enough not to be kept in the string itself")
        if inContext { try context.insert(song) }
        DispatchQueue.concurrentPerform(iterations: Self.threads) { thread in
            for step in 0..<500 {
                song.year += 1
                song.tags.append("\(thread)")
                if step % 10 == 0 { song.title = "thread \(thread), at its step \(step), sets the title" }
                if song.title.isEmpty || song.tags.isEmpty { song.year = 0 }
            }
        }
        #expect(song.year == 1900 + Self.threads * 500)
        #expect(song.tags.count == Self.threads * 500)
    }

    @Test func idsAreMadeOnce() {
        let songs = (0..<200).map { LiveSong(title: "\($0)") }
        let ids = Mutex<[[ObjectID]]>([])
        DispatchQueue.concurrentPerform(iterations: Self.threads) { _ in
            let mine = songs.map(\.id)
            ids.withLock { $0.append(mine) }
        }
        #expect(Set(ids.withLock { $0 }).count == 1)
    }

    /// Both sides of relationships agree whatever threads do to them.
    @Test func relationships() throws {
        let fixture = try liveGraphFixture(.memory)
        let context = ObjectContext(fixture.store)
        let albums = (0..<4).map { LiveAlbum(title: "\($0)") }
        let songs = (0..<40).map { LiveSong(title: "\($0)") }
        let playlist = LivePlaylist("all")
        try albums.forEach { try context.insert($0) }
        try songs.forEach { try context.insert($0) }
        try context.insert(playlist)
        DispatchQueue.concurrentPerform(iterations: Self.threads) { thread in
            var random = SeededGenerator(seed: UInt64(thread))
            for _ in 0..<300 {
                let song = songs[Int.random(in: 0..<songs.count, using: &random)]
                let album = albums[Int.random(in: 0..<albums.count, using: &random)]
                switch Int.random(in: 0...5, using: &random) {
                case 0: song.album = album
                case 1: song.album = nil
                case 2: album.songs.append(song)
                case 3: album.songs = [song]
                case 4: playlist.songs.append(song)
                default: if album.songs.contains(where: { $0.title.isEmpty }) { song.title = "" }
                }
            }
        }
        for album in albums {
            #expect(album.songs.allSatisfy { $0.album === album })
            #expect(Set(songs.filter { $0.album === album }) == Set(album.songs))
        }
        #expect(playlist.songs.allSatisfy { !$0.title.isEmpty })
        try context.save()
        let read = ObjectContext(fixture.store)
        for album in albums {
            #expect(try read.fetch(LiveAlbum.self, id: album.id)?.songs.map(\.title) == album.songs.map(\.title))
        }
    }

    /// Threads change and read objects while another brings them into a context.
    @Test func insertionWhileOthersUseTheObjects() throws {
        let fixture = try liveGraphFixture(.memory)
        let context = ObjectContext(fixture.store)
        let albums = (0..<50).map { number in LiveAlbum(title: "\(number)", songs: [LiveSong(title: "\(number)")]) }
        let failures = Mutex<[String]>([])
        DispatchQueue.concurrentPerform(iterations: Self.threads) { thread in
            for album in albums {
                if thread == 0 {
                    do { try context.insert(album) } catch { failures.withLock { $0.append("\(error)") } }
                } else {
                    for _ in 0..<20 { album.songs[0].year += 1 }
                    album.title += "+"
                }
            }
        }
        #expect(failures.withLock { $0 } == [])
        for album in albums {
            #expect(album.songs[0].year == 1900 + (Self.threads - 1) * 20)
            #expect(album.title.hasSuffix(String(repeating: "+", count: Self.threads - 1)))
        }
        try context.save()
        #expect(try fixture.store.fetch(LiveAlbum.self).count() == 50)
    }
}
