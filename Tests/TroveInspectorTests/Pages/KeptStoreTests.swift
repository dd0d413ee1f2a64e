import Foundation
import TestSupport
import Testing
import Trove

/// The store that `Scripts/inspector-walk` shows in a real browser.
@Suite struct KeptStoreTests {
    private static let path = ProcessInfo.processInfo.environment["TROVE_INSPECTOR_STORE"]

    @Test(.enabled(if: KeptStoreTests.path != nil)) func aStoreToLookAt() throws {
        let store = try HostileStore.open(Engine.sqlite.open(try #require(Self.path)))
        try HostileStore.fill(store)
        try store.close()
    }
}
