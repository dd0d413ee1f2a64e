import TestSupport
import Trove

/// A store with the models of these tests.
func liveGraphFixture(_ engine: Engine) throws -> StoreFixture {
    try StoreFixture(engine) {
        try ObjectStore($0, durability: .buffered, models: LiveSong.self, LiveAlbum.self, LivePerson.self, LivePlaylist.self, LiveTicket.self)
    }
}
