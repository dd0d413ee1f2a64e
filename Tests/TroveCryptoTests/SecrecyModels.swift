import Foundation
import Trove

/// Names, words and values that are found nowhere else: what begins with `Zq` is a secret.
@Model struct ZqPatient {
    @Attribute(.unique) var zqNumber: String
    @Attribute(.indexed) var zqName: String
    @Attribute(.fullText) var zqHistory: String
    @Attribute(.substring) var zqStreet: String
    var zqYear: Int
    var zqImage: Data?
}

@Model final class ZqWard {
    var zqTitle: String
    @Relationship(inverse: \ZqNurse.zqWard) var zqNurses: [ZqNurse] = []

    init(zqTitle: String) { self.zqTitle = zqTitle }
}

@Model final class ZqNurse {
    @Attribute(.indexed) var zqName: String
    @Relationship var zqWard: ZqWard?

    init(zqName: String) { self.zqName = zqName }
}
