import Trove

/// Models that processes of a crowd enter into a store while others use it. What they hold is only checked by `verify`.
@Model
struct CrowdNote {
    var id: Int
    @Attribute(.indexed) var writer: Int
}

/// What a later version of the program declares.
enum LaterCrowd {
    /// It has a property and an index more.
    @Model("CrowdNote")
    struct CrowdNote {
        var id: Int
        @Attribute(.indexed) var writer: Int
        @Attribute(.indexed) var text: String = ""
    }
}

@Model
struct CrowdMark {
    var id: Int
    @Attribute(.indexed) var label: String
}
